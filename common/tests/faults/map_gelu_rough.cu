// SPDX-License-Identifier: MIT
//
// Group: fault
// Case: map_gelu_rough - gelu by its tanh approximation, which is off by up to 0.0005. Shows for
// |x| around 2. 07 measures this kernel, and says that --check refuses it.
// Run: $BUILD/faults/map_gelu_rough --check --quick
// Exit: 1
// Matches: ^(wrong|simt):
#include "../../../07_elementwise/gelu_tanh.cu"
