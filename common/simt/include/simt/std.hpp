// SPDX-License-Identifier: MIT
//
// std.hpp - cuda::std is the host's own std: included after a header of it.
namespace cuda::std
{
using namespace ::std;
}
