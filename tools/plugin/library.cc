#include "library.h"

#include <unordered_set>

using names = std::unordered_set<std::string>;

static const names prompt_and_lean = {
    "memcpy", "memmove", "memset", "memcmp", "memchr", "bcmp", "strlen", "strcmp", "strncmp", "strchr",
    /* characters */
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct",
    "isspace", "isupper", "isxdigit", "tolower", "toupper", "__ctype_b_loc", "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    /* the nodes of std::map and std::list */
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
    "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "_ZNSt8__detail15_List_node_base9_M_unhookEv",
    "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_"};

static const names prompt = {"malloc", "free", "realloc", "calloc", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};

static const names lean = {
    "strcpy", "strncpy", "stpcpy", "strcat", "strrchr", "strnlen", "memrchr", "__errno_location",
    /* numbers */
    "floor", "ceil", "trunc", "round", "rint", "nearbyint", "floorf", "ceilf", "truncf", "roundf", "rintf",
    "nearbyintf",
    /* the compiler's own */
    "__divti3", "__modti3", "__udivti3", "__umodti3", "__popcountdi2", "__muldc3", "__mulsc3"};

bool library_is_prompt(const std::string &name)
{
	return prompt_and_lean.count(name) || prompt.count(name);
}

bool library_is_lean(const std::string &name)
{
	return prompt_and_lean.count(name) || lean.count(name);
}
