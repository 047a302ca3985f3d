/*
 * The namespace of C++. There the C interface is in namespace heddle, with C linkage, so that `mutex` or `barrier` do
 * not collide with those of std. Names that begin with heddle_ or HEDDLE_ are global, as in C. The structures future,
 * promise and generator and their functions are in heddle::c, because C++ has classes of these names.
 */
#ifndef HEDDLE_SCOPE_H
#define HEDDLE_SCOPE_H

#ifdef __cplusplus
/* clang-format off */
#	define HEDDLE_GLOBAL_BEGIN extern "C" {
#	define HEDDLE_GLOBAL_END   }
#	define HEDDLE_BEGIN        namespace heddle { extern "C" {
#	define HEDDLE_END          } }
#	define HEDDLE_C_BEGIN      namespace heddle { namespace c { extern "C" {
#	define HEDDLE_C_END        } } }
/* clang-format on */
/* Before the name of a structure or type in a global declaration, and in a macro. */
#	define HEDDLE_SCOPE   heddle::
#	define HEDDLE_C_SCOPE heddle::c::
#else
#	define HEDDLE_GLOBAL_BEGIN
#	define HEDDLE_GLOBAL_END
#	define HEDDLE_BEGIN
#	define HEDDLE_END
#	define HEDDLE_C_BEGIN
#	define HEDDLE_C_END
#	define HEDDLE_SCOPE
#	define HEDDLE_C_SCOPE
#endif

#endif
