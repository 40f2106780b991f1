// SPDX-License-Identifier: Apache-2.0
// The kernels of reductions, for a Rule:
//
//   using Acc = ...;                     what a thread holds
//   static Acc First();                  that has seen nothing
//   static Acc Load(T x);                that has seen one element
//   static Acc Combine(Acc a, Acc b);    commutative, and associative but for rounding
//   T Finish(Acc a, int64_t count);      the result of `count` elements
#ifndef SLUICE_KERNELS_CUDA_COMMON_REDUCE_CUH_
#define SLUICE_KERNELS_CUDA_COMMON_REDUCE_CUH_

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/reduce.h"
#include "kernels/cuda/common/reduce_block.h"

namespace sluice::cuda {

template <Element... kElements>
bool Has(ElementList<kElements...>, Element element) {
  return ((element == kElements) || ...);
}

// The position of a thread in its block: `lanes` threads share the result of a slot. Either slots
// are adjacent (a warp reads neighbouring results), or lanes are (it reads neighbouring elements).
struct BlockPlace {
  int lane;
  int slot;
  int step;  // distance from a thread to the next lane's

  __device__ BlockPlace(int lanes, bool slots_beside) {
    const int t = static_cast<int>(threadIdx.x);
    const int slots = kReduceThreads / lanes;
    lane = slots_beside ? t / slots : t % lanes;
    slot = slots_beside ? t % slots : t / lanes;
    step = slots_beside ? slots : 1;
  }
};

// Combines the lanes of each slot; lane 0 gets the result. Every thread of the block must call it.
template <typename Acc, typename Combine>
__device__ inline Acc CombineLanes(Acc own, const BlockPlace& place, int lanes, Combine combine) {
  Acc* shared = SharedMemory<Acc>();
  shared[threadIdx.x] = own;
  for (int half = lanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (place.lane < half) {
      own = combine(own, shared[threadIdx.x + half * place.step]);
      shared[threadIdx.x] = own;
    }
  }
  return own;
}

template <typename Rule, typename T>
__global__ void ReduceKernel(Rule rule, const __grid_constant__ ReduceShape shape, const T* x,
                             T* out, typename Rule::Acc* partial) {
  using Acc = typename Rule::Acc;
  const BlockPlace place(shape.lanes, shape.inner_kept);
  const int64_t slots = kReduceThreads / shape.lanes;
  const int64_t output = blockIdx.x * slots + place.slot;
  Acc acc = Rule::First();
  if (output < shape.outputs) {
    const T* first = x + shape.kept.OffsetsOf(output).at[0];
    const int64_t begin = shape.count * blockIdx.y / shape.parts;
    const int64_t end = shape.count * (blockIdx.y + 1) / shape.parts;
    if (shape.reduced.rank <= 1) {
      const int64_t stride = shape.reduced.rank == 0 ? 0 : shape.reduced.dims[0].stride[0];
#pragma unroll 4
      for (int64_t i = begin + place.lane; i < end; i += shape.lanes)
        acc = Rule::Combine(acc, Rule::Load(first[i * stride]));
    } else {
      for (int64_t i = begin + place.lane; i < end; i += shape.lanes)
        acc = Rule::Combine(acc, Rule::Load(first[shape.reduced.OffsetsOf(i).at[0]]));
    }
  }
  acc = CombineLanes(acc, place, shape.lanes, [](Acc a, Acc b) { return Rule::Combine(a, b); });
  if (place.lane != 0 || output >= shape.outputs) return;
  if (shape.parts == 1) {
    out[output] = rule.Finish(acc, shape.count);
  } else {
    partial[blockIdx.y * shape.outputs + output] = acc;
  }
}

// Combines the parts of each result.
template <typename Rule, typename T>
__global__ void MergeKernel(Rule rule, const typename Rule::Acc* partial, int parts, int lanes,
                            int64_t outputs, int64_t count, T* out) {
  using Acc = typename Rule::Acc;
  const BlockPlace place(lanes, /*slots_beside=*/true);
  const int64_t output = static_cast<int64_t>(blockIdx.x) * (kReduceThreads / lanes) + place.slot;
  Acc acc = Rule::First();
  if (output < outputs) {
    for (int part = place.lane; part < parts; part += lanes)
      acc = Rule::Combine(acc, partial[part * outputs + output]);
  }
  acc = CombineLanes(acc, place, lanes, [](Acc a, Acc b) { return Rule::Combine(a, b); });
  if (place.lane == 0 && output < outputs) out[output] = rule.Finish(acc, count);
}

template <typename Rule, typename T>
cudaError_t LaunchRule(const Rule& rule, const ReduceCall& call) {
  using Acc = typename Rule::Acc;
  const ReduceShape& shape = *call.shape;
  const auto blocks = [&](int64_t slots) {
    return static_cast<unsigned>((shape.outputs + slots - 1) / slots);
  };
  const size_t shared = kReduceThreads * sizeof(Acc);
  auto* out = static_cast<T*>(call.out);
  auto* partial = static_cast<Acc*>(call.workspace);
  const dim3 grid(blocks(kReduceThreads / shape.lanes), static_cast<unsigned>(shape.parts));
  const cudaError_t error =
      Launch(&ReduceKernel<Rule, T>, grid, dim3(kReduceThreads), shared, call.stream, rule, shape,
             static_cast<const T*>(call.x), out, partial);
  if (error != cudaSuccess || shape.parts == 1) return error;
  int lanes = 1;
  while (lanes < shape.parts && lanes < 32) lanes *= 2;
  return Launch(&MergeKernel<Rule, T>, dim3(blocks(kReduceThreads / lanes)), dim3(kReduceThreads),
                shared, call.stream, rule, static_cast<const Acc*>(partial), shape.parts, lanes,
                shape.outputs, shape.count, out);
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_REDUCE_CUH_
