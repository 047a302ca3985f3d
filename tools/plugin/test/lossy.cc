// Calls that lose registers, in every kind of function that may make one: what is needed afterwards is kept, and
// ordinary functions preserve for their callers what they must. Prints one number. Without the plugin nothing is lost.
#include <csetjmp>
#include <cstdint>
#include <cstdio>

#define NOINLINE __attribute__((noinline))

#ifdef __HEDDLE_PLUGIN__
extern "C" __attribute__((heddle_may_switch, heddle_switches_by("lose_lean"))) void lose();
// The lean entry goes on at the address on top of the stack.
__asm__(".pushsection .text\n"
        "lose_lean:\n"
        "	pop %rax\n"
        "	mov $0x5eed5eed, %ebx\n"
        "	mov %rbx, %r12\n"
        "	mov %rbx, %r13\n"
        "	mov %rbx, %r14\n"
        "	jmp *%rax\n"
        ".globl lose\n"
        "lose:\n"
        "	ret\n"
        ".popsection\n");
#else
static void lose()
{
}
#endif

typedef uint64_t number;

static NOINLINE number mix(number hash, number value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Uses all registers that calls preserve, and preserves them. */
NOINLINE number ordinary(number seed)
{
	number a = mix(seed, 1), b = mix(seed, 2), c = mix(seed, 3), d = mix(seed, 4), e = mix(seed, 5),
	       f = mix(a, b);
	return mix(mix(a, c) + mix(b, d), mix(e, f)) + a + b + c + d + e + f;
}

/* These two are compiled first, and lose registers. */
static NOINLINE number leaf(number seed)
{
	number a = ordinary(seed), b = ordinary(a);
	lose();
	number c = ordinary(b);
	lose();
	return mix(a + b, c + ordinary(a));
}

extern "C" NOINLINE number listed_leaf(number seed)
{
	number a = ordinary(seed), b = ordinary(a), c = ordinary(b), d = ordinary(c);
	return mix(a + b, mix(c, ordinary(d)) + d);
}

static NOINLINE number passes_on(number seed)
{
	return leaf(seed + 1);
}

static NOINLINE number many_arguments(number a, number b, number c, number d, number e, number f, number g,
                                      number h)
{
	number sum = leaf(a + g);
	for (number i = 0; i < h % 5 + 1; i++)
		sum = mix(sum, a + b * c + d * e + f + listed_leaf(g + i));
	return sum + passes_on(h) + a + b + c + d + e + f + g + h;
}

static NOINLINE number recursive(number depth, number seed)
{
	number here = ordinary(seed);
	return depth ? mix(here, recursive(depth - 1, mix(seed, depth)) + leaf(here)) : leaf(here);
}

static NOINLINE number with_room(number size, number seed)
{
	number *room = (number *)__builtin_alloca(size * sizeof(*room)), sum = 0;
	for (number i = 0; i < size; i++)
		room[i] = leaf(seed + i);
	for (number i = 0; i < size; i++)
		sum = mix(sum, room[i]);
	return sum;
}

struct failure {
	number value;
};

struct cleaner {
	number *log;
	~cleaner()
	{
		*log = mix(*log, leaf(*log));
	}
};

static NOINLINE number throws(number seed, number *log)
{
	cleaner cleaner{log};
	number a = ordinary(seed), b = leaf(a);
	if (b % 3)
		throw failure{mix(a, b)};
	return a + b;
}

static NOINLINE number catches(number seed)
{
	number log = seed, a = ordinary(seed), b = leaf(a);
	try {
		a = mix(a, throws(a + b, &log));
	} catch (const failure &caught) {
		a = mix(a + b, caught.value + leaf(log));
	}
	return mix(a, b + log);
}

static std::jmp_buf place;

static NOINLINE void jumps(number seed)
{
	if (leaf(seed) % 2)
		std::longjmp(place, 1);
	leaf(seed);
}

static NOINLINE number lands(number seed)
{
	volatile number a = ordinary(seed);
	if (!setjmp(place))
		jumps(a);
	return mix(a, leaf(seed));
}

/* Exported functions preserve what calls preserve. */
NOINLINE number jumps_at_its_end(number seed)
{
	return passes_on(seed);
}

number (*volatile by_address)(number) = jumps_at_its_end;

NOINLINE number all(number seed)
{
	number a = catches(seed), b = recursive(5, a), c = with_room(seed % 9 + 1, b), d = lands(c);
	number e = many_arguments(a, b, c, d, a + 1, b + 1, c + 1, d + 1), f = jumps_at_its_end(e),
	       g = by_address(f);
	return mix(mix(mix(a, b) + mix(c, d), mix(e, f)), g + listed_leaf(a));
}

int main()
{
	number sum = 0, kept = 1;
	for (number seed = 0; seed < 50; seed++) {
		sum = mix(sum, all(seed));
		kept = mix(kept, seed + sum);
	}
	std::printf("%lx\n", mix(sum, kept));
	return 0;
}
