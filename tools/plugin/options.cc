#include "options.h"

#include <cstdlib>
#include <cstring>

#include "gcc.h"
#include "preserve_none.h"

struct options options = {BOUND_DEFAULT, false, false, false, false, false, false, false, -1};

static bool read_bound(const char *value)
{
	char *end = nullptr;
	long bound = value ? std::strtol(value, &end, 10) : 0;
	if (!value || !*value || *end || bound < BOUND_MINIMUM || bound > BOUND_MAXIMUM) {
		error("heddle: %<bound=%s%> is not understood: allowed is a number of instructions from %d to %d",
		      value ? value : "", BOUND_MINIMUM, BOUND_MAXIMUM);
		return false;
	}
	options.bound = (unsigned)bound;
	return true;
}

static const char *omitted; /* its name */

void options_complete()
{
	if (!omitted)
		return;
	options.omit = decode_reg_name(omitted);
	if (options.omit < 0 || !default_function_abi.clobbers_full_reg_p(options.omit))
		error("heddle: %<omit=%s%> is not understood: allowed is a register that a call may change, as in "
		      "%<omit=rdx%>",
		      omitted);
}

bool options_read(const struct plugin_name_args *arguments)
{
	for (int i = 0; i < arguments->argc; i++) {
		const struct plugin_argument &argument = arguments->argv[i];
		if (std::strcmp(argument.key, "bound") == 0) {
			if (!read_bound(argument.value))
				return false;
		} else if (std::strcmp(argument.key, "off") == 0 && !argument.value) {
			options.off = true;
		} else if (std::strcmp(argument.key, "account") == 0 && !argument.value) {
			options.account = true;
		} else if (std::strcmp(argument.key, "poll") == 0 && !argument.value) {
			options.polls = true;
		} else if (std::strcmp(argument.key, "delegable") == 0 && !argument.value) {
			options.delegable = true;
		} else if (std::strcmp(argument.key, "preserve-none") == 0 && argument.value) {
			if (!preserve_none_read(argument.value))
				return false;
			options.preserve_none_list = true;
		} else if (std::strcmp(argument.key, "preserve-none-auto") == 0 && !argument.value) {
			options.preserve_none_auto = true;
		} else if (std::strcmp(argument.key, "watched") == 0 && !argument.value) {
			options.watched = true;
		} else if (std::strcmp(argument.key, "omit") == 0) {
			omitted = argument.value ? argument.value : "";
		} else {
			error("heddle: the option %qs is not understood: allowed are %<bound=N%>, %<off%>, %<account%>, "
			      "%<delegable%>, %<poll%>, %<preserve-none-auto%> and %<watched%> without a value, "
			      "%<preserve-none=FILE%> and %<omit=REGISTER%>",
			      argument.key);
			return false;
		}
	}
	return true;
}
