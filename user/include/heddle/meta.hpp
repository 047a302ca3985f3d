/*
 * What the C++ headers need of a standard library beyond its freestanding part.
 */
#ifndef HEDDLE_META_HPP
#define HEDDLE_META_HPP

#include <new>
#include <type_traits>

namespace heddle::meta
{

template <class T> constexpr std::remove_reference_t<T> &&move(T &&value) noexcept
{
	return static_cast<std::remove_reference_t<T> &&>(value);
}

template <class T> constexpr T &&forward(std::remove_reference_t<T> &value) noexcept
{
	return static_cast<T &&>(value);
}

/* Values kept for one later call of a function; they are moved into it. */
template <class... T> struct values;

template <> struct values<> {
	template <class F, class... Before> decltype(auto) give_to(F &function, Before &&...before)
	{
		return function(forward<Before>(before)...);
	}
};

template <class First, class... Rest> struct values<First, Rest...> {
	First first;
	[[no_unique_address]] values<Rest...> rest;

	template <class A, class... B>
	explicit values(A &&a, B &&...b) noexcept(
	    std::is_nothrow_constructible_v<First, A> &&std::is_nothrow_constructible_v<values<Rest...>, B...>)
	    : first(forward<A>(a)), rest(forward<B>(b)...)
	{
	}

	template <class F, class... Before> decltype(auto) give_to(F &function, Before &&...before)
	{
		return rest.give_to(function, forward<Before>(before)..., move(first));
	}
};

} // namespace heddle::meta

#endif
