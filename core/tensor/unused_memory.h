// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_UNUSED_MEMORY_H_
#define SLUICE_CORE_TENSOR_UNUSED_MEMORY_H_

namespace sluice {

// Gives memory that nothing uses back to the system, if it is much: large blocks that the CPU
// allocator keeps for later, and what malloc keeps. Takes milliseconds: for the end of something
// that may have been large, such as a session.
//
// Threads:  any.
void ReturnUnusedMemory();

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_UNUSED_MEMORY_H_
