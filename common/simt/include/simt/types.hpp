// SPDX-License-Identifier: MIT
//
// types.hpp - the type of a shared array as three numbers, for traces and messages. simtcc adds
// three constants after `__shared__ T name[R][C];`, simt_type_name, simt_columns_name and
// simt_bytes_name, whose sizes encode them: the symbol table has the sizes, in templates too.
#ifndef SIMT_TYPES_HPP
#define SIMT_TYPES_HPP

#include "trace_format.h"

namespace simt
{

#define SIMT_TYPE(name, text) TYPE_##name,
enum type { TRACE_TYPE_LIST(SIMT_TYPE) };
#undef SIMT_TYPE

// A size is at least 1, so the numbers begin there.
template <typename T>
inline constexpr int type_number = TYPE_UNKNOWN + 1;
template <typename T, size_t Count>
inline constexpr int type_number<T[Count]> = type_number<T>;

// The elements in the last dimension of an array that has several, else 1.
template <typename T>
inline constexpr int columns = 1;
template <typename T, size_t Outer, size_t Inner>
inline constexpr int columns<T[Outer][Inner]> = columns<T[Inner]> > 1 ? columns<T[Inner]> : Inner;

template <typename T>
inline constexpr size_t element_bytes = sizeof(T);
template <typename T, size_t Count>
inline constexpr size_t element_bytes<T[Count]> = element_bytes<T>;

#define SIMT_TYPE_IS(name, ...)                                                                    \
    template <>                                                                                    \
    inline constexpr int type_number<__VA_ARGS__> = TYPE_##name + 1;
SIMT_TYPE_IS(F32, float)
SIMT_TYPE_IS(F64, double)
SIMT_TYPE_IS(I8, char)
SIMT_TYPE_IS(I8, signed char)
SIMT_TYPE_IS(I16, short)
SIMT_TYPE_IS(I32, int)
SIMT_TYPE_IS(I64, long)
SIMT_TYPE_IS(I64, long long)
SIMT_TYPE_IS(U8, bool)
SIMT_TYPE_IS(U8, unsigned char)
SIMT_TYPE_IS(U16, unsigned short)
SIMT_TYPE_IS(U32, unsigned)
SIMT_TYPE_IS(U64, unsigned long)
SIMT_TYPE_IS(U64, unsigned long long)

// A shared variable gets no initial value. A type with initializers for its members, `double a =
// 0;`, is accepted, because the compiler knows these; one whose constructor would run is not.
template <typename T>
struct element {
    using type = T;
};
template <typename T, size_t Count>
struct element<T[Count]> : element<T> {
};
template <typename T, int = (static_cast<void>(typename element<T>::type{}), 0)>
constexpr bool no_constructor_runs(int)
{
    return true;
}
template <typename T>
constexpr bool no_constructor_runs(long)
{
    return __is_trivially_constructible(T);
}

} // namespace simt

#endif
