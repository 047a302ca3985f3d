/* How much stack the functions of the C and C++ libraries use that tools/plugin/library.cc names as lean. Each is
 * called on a stack whose bytes are known, and once before that for what it does the first time. So is one that is not
 * lean, atof(). Prints a line for each: its name as the assembler has it, and the bytes. */
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <ucontext.h>

#define STACK 65536
#define CLEAN 0xA5

static unsigned char stack[STACK];
static ucontext_t around, inside;
static void (*called)();
static char from[256], to[256];
static volatile int character = 'x';
static volatile double number = 2.5;
static volatile float small_number = 2.5F;
static volatile std::size_t length = 100;
static void *volatile sink;
static std::map<int, int> map = {{1, 1}, {2, 2}, {3, 3}};
static std::_Rb_tree_node_base header, node;
static std::__detail::_List_node_base ring, element;

static void tree_insert()
{
	header = {std::_S_red, nullptr, &header, &header};
	std::_Rb_tree_insert_and_rebalance(true, &node, &header, header);
}

static void tree_erase()
{
	tree_insert();
	sink = std::_Rb_tree_rebalance_for_erase(&node, header);
}

static void ring_make()
{
	ring._M_next = ring._M_prev = &ring;
	element._M_hook(&ring);
}

static std::_Rb_tree_node_base *first()
{
	return map.begin()._M_node;
}

/* Newer headers declare only one of each two. */
extern const void *increment(const void *) __asm__("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
extern const void *decrement(const void *) __asm__("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");

extern "C" {
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
int __popcountdi2(long);
double _Complex __muldc3(double, double, double, double);
float _Complex __mulsc3(float, float, float, float);
const unsigned short **__ctype_b_loc();
const int **__ctype_tolower_loc();
const int **__ctype_toupper_loc();
int bcmp(const void *, const void *, std::size_t);
}

struct function {
	const char *name;
	void (*call)();
};

static constexpr function function_of(const char *name, void (*call)())
{
	return {name, call};
}

#define OF(name, ...)   function_of(#name, []() { __VA_ARGS__; })
#define CHARACTER(name) OF(name, character = name(character))
#define NUMBER(name)    OF(name, number = name(number))
#define SMALL(name)     OF(name, small_number = name(small_number))
#define TEXT(name, ...) OF(name, sink = (void *)(std::uintptr_t)name(__VA_ARGS__))

static const function functions[] = {
    TEXT(memcpy, to, from, length),
    TEXT(memmove, to, to + 1, length),
    TEXT(memset, to, 1, length),
    TEXT(memcmp, to, from, length),
    TEXT(memchr, from, character, length),
    TEXT(bcmp, to, from, length),
    TEXT(strlen, from),
    TEXT(strcmp, to, from),
    TEXT(strncmp, to, from, length),
    TEXT(strchr, from, character),
    TEXT(strcpy, to, from),
    TEXT(strncpy, to, from, length),
    TEXT(stpcpy, to, from),
    OF(strcat, to[0] = 0; sink = strcat(to, from)),
    TEXT(strrchr, from, character),
    TEXT(strnlen, from, length),
    TEXT(memrchr, from, character, length),
    TEXT(__errno_location, ),
    CHARACTER(isalnum),
    CHARACTER(isalpha),
    CHARACTER(isblank),
    CHARACTER(iscntrl),
    CHARACTER(isdigit),
    CHARACTER(isgraph),
    CHARACTER(islower),
    CHARACTER(isprint),
    CHARACTER(ispunct),
    CHARACTER(isspace),
    CHARACTER(isupper),
    CHARACTER(isxdigit),
    CHARACTER(tolower),
    CHARACTER(toupper),
    TEXT(__ctype_b_loc, ),
    TEXT(__ctype_tolower_loc, ),
    TEXT(__ctype_toupper_loc, ),
    NUMBER(floor),
    NUMBER(ceil),
    NUMBER(trunc),
    NUMBER(round),
    NUMBER(rint),
    NUMBER(nearbyint),
    SMALL(floorf),
    SMALL(ceilf),
    SMALL(truncf),
    SMALL(roundf),
    SMALL(rintf),
    SMALL(nearbyintf),
    OF(__divti3, number = (double)__divti3(length, 7)),
    OF(__modti3, number = (double)__modti3(length, 7)),
    OF(__udivti3, number = (double)__udivti3(length, 7)),
    OF(__umodti3, number = (double)__umodti3(length, 7)),
    OF(__popcountdi2, character = __popcountdi2((long)length)),
    OF(__muldc3, number = __real__ __muldc3(number, 1, 2, 3)),
    OF(__mulsc3, small_number = __real__ __mulsc3(small_number, 1, 2, 3)),
    OF(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, sink = std::_Rb_tree_increment(first())),
    OF(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, sink = (void *)increment(first())),
    OF(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, sink = std::_Rb_tree_decrement(map.end()._M_node)),
    OF(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, sink = (void *)decrement(map.end()._M_node)),
    OF(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_, tree_insert()),
    OF(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, tree_erase()),
    OF(_ZNSt8__detail15_List_node_base7_M_hookEPS0_, ring_make()),
    OF(_ZNSt8__detail15_List_node_base9_M_unhookEv, ring_make(); element._M_unhook()),
    OF(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_, ring_make(); ring._M_transfer(&ring, &ring)),
    OF(atof, number = atof(from)),
};

static unsigned char *begin;

static void enter()
{
	begin = (unsigned char *)__builtin_frame_address(0);
	called();
	swapcontext(&inside, &around);
}

/* The bytes of the stack that a call changes, its own frame included. */
static long used_by(void (*call)())
{
	std::memset(stack, CLEAN, sizeof(stack));
	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	called = call;
	makecontext(&inside, enter, 0);
	swapcontext(&around, &inside);
	const unsigned char *lowest = stack;
	while (*lowest == CLEAN)
		lowest++;
	return begin - lowest;
}

int main()
{
	std::memset(from, 'a', sizeof(from) - 1);
	for (const function &one : functions)
		one.call();
	for (const function &one : functions)
		std::printf("%s %ld\n", one.name, used_by(one.call));
}
