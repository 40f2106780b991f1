// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_SHORT_SLICES_H_
#define SLUICE_SERVER_SHORT_SLICES_H_

#include "absl/time/time.h"

namespace sluice::server {

inline constexpr absl::Duration kShortSlice = absl::Microseconds(100);  // the shortest

// Asks Linux (6.12 and later) to run the calling thread, and threads that it starts from now on, in
// slices of kShortSlice. Their share of the processors stays the same. But a thread that has been
// woken gets a processor sooner, because those that run must leave it sooner. A small step wakes a
// dozen threads in turn, so beside a load that keeps all processors busy it takes about half as
// long. Earlier releases of Linux keep their own slices.
void UseShortSlices();

// The slice of the calling thread; zero on releases of Linux that do not tell.
absl::Duration SliceHere();

}  // namespace sluice::server

#endif  // SLUICE_SERVER_SHORT_SLICES_H_
