// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_POOL_POOL_CUH_
#define SLUICE_KERNELS_CUDA_NN_POOL_POOL_CUH_

#include "kernels/cuda/nn/pool/pool.h"

namespace sluice::cuda {

// An element of images: where it is.
struct PoolPlace {
  int64_t n, c, z, y, x;
};

__device__ inline PoolPlace PlaceOf(bool channels_first, int64_t i, int64_t channels,
                                    int64_t planes, int64_t rows, int64_t columns) {
  PoolPlace p;
  if (channels_first) {
    p.x = i % columns, i /= columns;
    p.y = i % rows, i /= rows;
    p.z = i % planes, i /= planes;
    p.c = i % channels;
    p.n = i / channels;
  } else {
    p.c = i % channels, i /= channels;
    p.x = i % columns, i /= columns;
    p.y = i % rows, i /= rows;
    p.z = i % planes;
    p.n = i / planes;
  }
  return p;
}
__device__ inline int64_t IndexOf(bool channels_first, const PoolPlace& p, int64_t channels,
                                  int64_t planes, int64_t rows, int64_t columns) {
  if (channels_first) {
    return (((p.n * channels + p.c) * planes + p.z) * rows + p.y) * columns + p.x;
  }
  return (((p.n * planes + p.z) * rows + p.y) * columns + p.x) * channels + p.c;
}

__device__ inline PoolPlace InputPlace(const PoolShape& s, int64_t i) {
  return PlaceOf(s.channels_first, i, s.channels, s.planes.in, s.height.in, s.width.in);
}
__device__ inline int64_t InputIndex(const PoolShape& s, const PoolPlace& p) {
  return IndexOf(s.channels_first, p, s.channels, s.planes.in, s.height.in, s.width.in);
}
__device__ inline PoolPlace OutputPlace(const PoolShape& s, int64_t i) {
  return PlaceOf(s.channels_first, i, s.channels / s.depth, s.planes.out, s.height.out,
                 s.width.out);
}
__device__ inline int64_t OutputIndex(const PoolShape& s, const PoolPlace& p) {
  return IndexOf(s.channels_first, p, s.channels / s.depth, s.planes.out, s.height.out,
                 s.width.out);
}
inline int64_t InputCount(const PoolShape& s) {
  return s.batch * s.channels * s.planes.in * s.height.in * s.width.in;
}
inline int64_t OutputCount(const PoolShape& s) {
  return s.batch * (s.channels / s.depth) * s.planes.out * s.height.out * s.width.out;
}

// A half-open range.
struct CoveredRange {
  int64_t begin, end;
  __device__ int64_t size() const { return end > begin ? end - begin : 0; }
};
// The inputs that output `out` covers, without padding.
__device__ inline CoveredRange Covered(const WindowSpan& w, int64_t out) {
  const int64_t begin = out * w.stride - w.pad_before, end = begin + w.kernel;
  return {begin > 0 ? begin : 0, end < w.in ? end : w.in};
}
// The outputs that cover input `in`.
__device__ inline CoveredRange Covering(const WindowSpan& w, int64_t in) {
  const int64_t last = (in + w.pad_before) / w.stride;
  const int64_t before = in + w.pad_before - w.kernel;  // windows that begin here or earlier miss
  return {before < 0 ? 0 : before / w.stride + 1, last < w.out - 1 ? last + 1 : w.out};
}

// Calls fn(place) for the input elements that an output covers.
template <typename Fn>
__device__ void ForEachCovered(const PoolShape& s, const PoolPlace& out, const Fn& fn) {
  const CoveredRange planes = Covered(s.planes, out.z), rows = Covered(s.height, out.y);
  const CoveredRange columns = Covered(s.width, out.x);
  for (int64_t z = planes.begin; z < planes.end; ++z) {
    for (int64_t y = rows.begin; y < rows.end; ++y) {
      for (int64_t x = columns.begin; x < columns.end; ++x) {
        for (int64_t c = out.c * s.depth; c < (out.c + 1) * s.depth; ++c) {
          fn(PoolPlace{out.n, c, z, y, x});
        }
      }
    }
  }
}
// Calls fn(place) for the outputs that cover an input element.
template <typename Fn>
__device__ void ForEachCovering(const PoolShape& s, const PoolPlace& in, const Fn& fn) {
  const CoveredRange planes = Covering(s.planes, in.z), rows = Covering(s.height, in.y);
  const CoveredRange columns = Covering(s.width, in.x);
  for (int64_t z = planes.begin; z < planes.end; ++z) {
    for (int64_t y = rows.begin; y < rows.end; ++y) {
      for (int64_t x = columns.begin; x < columns.end; ++x) {
        fn(PoolPlace{in.n, in.c / s.depth, z, y, x});
      }
    }
  }
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_POOL_POOL_CUH_
