// SPDX-License-Identifier: Apache-2.0
// Pad, MirrorPad and MatrixBandPart against loops on the host.
#include <gtest/gtest.h>

#include "kernels/cuda/array/band_part.h"
#include "kernels/cuda/array/pad.h"
#include "kernels/cuda/array/register.h"
#include "tests/kernels/cuda/device_array.h"
#include "tests/kernels/cuda/gpu_runner.h"
#include "tests/kernels/cuda/thread_orders.h"

namespace sluice::cuda {
namespace {

template <typename T>
std::vector<T> Counting(int64_t n) {
  std::vector<T> values(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) values[static_cast<size_t>(i)] = static_cast<T>(i + 1);
  return values;
}

int64_t InOf(const std::vector<PadDim>& dims) {
  int64_t n = 1;
  for (const PadDim& dim : dims) n *= dim.in;
  return n;
}

// For each element of the result fn(coordinates less the padding in front).
template <typename Fn>
void ForEachPlace(const std::vector<PadDim>& dims, Fn fn) {
  int64_t n = 1;
  for (const PadDim& dim : dims) n *= dim.out;
  std::vector<int64_t> at(dims.size());
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d].out)
      at[d] = rest % dims[d].out - dims[d].before;
    fn(at);
  }
}

const std::vector<std::vector<PadDim>> kPaddings = {
    {{5, 2, 9}},
    {{1, 0, 1}},
    {{0, 2, 4}},
    {{4, 1, 6}, {3, 0, 3}},
    {{2, 0, 2}, {3, 2, 6}},
    {{2, 1, 3}, {16, 16, 48}},
    {{2, 0, 3}, {3, 1, 5}, {2, 0, 2}, {4, 0, 4}},
    {{3, 1, 6}, {1, 2, 3}, {40, 3, 50}},
};

template <typename T>
void CheckPad() {
  const T value = static_cast<T>(77);
  for (const std::vector<PadDim>& dims : kPaddings) {
    const auto input = Counting<T>(InOf(dims));
    std::vector<T> want;
    ForEachPlace(dims, [&](const std::vector<int64_t>& at) {
      int64_t source = 0;
      bool inside = true;
      for (size_t d = 0; d < dims.size(); ++d) {
        inside = inside && at[d] >= 0 && at[d] < dims[d].in;
        source = source * dims[d].in + at[d];
      }
      want.push_back(inside ? input[static_cast<size_t>(source)] : value);
    });
    std::vector<PadDim> simple = dims;
    const int count = SimplifyPadding(simple.data(), static_cast<int>(simple.size()));
    DeviceArray<T> from(input), to(want.size());
    ASSERT_EQ(LaunchPad(sizeof(T), simple.data(), count, &value, from.data(), to.data(), nullptr),
              cudaSuccess);
    EXPECT_EQ(to.Read(), want) << sizeof(T) << " bytes, rank " << dims.size();
  }
}

TEST(PadTest, SurroundsWithTheValue) {
  CheckPad<uint8_t>();
  CheckPad<uint16_t>();
  CheckPad<float>();
  CheckPad<double>();
}

TEST(MirrorPadTest, RepeatsTheEdge) {
  for (const bool reflect : {true, false}) {
    const int64_t edge = reflect ? 1 : 0;
    for (const std::vector<PadDim>& dims : {std::vector<PadDim>{{5, 3, 9}},
                                            {{4, 2, 8}, {3, 1, 6}},
                                            {{2, 1, 4}, {7, 0, 7}, {3, 2, 5}}}) {
      const auto input = Counting<float>(InOf(dims));
      std::vector<float> want;
      ForEachPlace(dims, [&](const std::vector<int64_t>& at) {
        int64_t source = 0;
        for (size_t d = 0; d < dims.size(); ++d) {
          int64_t x = at[d];
          if (x < 0) x = edge - 1 - x;
          if (x >= dims[d].in) x = 2 * dims[d].in - 1 - edge - x;
          source = source * dims[d].in + x;
        }
        want.push_back(input[static_cast<size_t>(source)]);
      });
      DeviceArray<float> from(input), to(want.size());
      ASSERT_EQ(LaunchMirrorPad(4, dims.data(), static_cast<int>(dims.size()), reflect, from.data(),
                                to.data(), nullptr),
                cudaSuccess);
      EXPECT_EQ(to.Read(), want);
    }
  }
}

// Every combination of the repeats of the dimensions.
TEST(MirrorPadGradTest, AddsWhatRepeatsAnElement) {
  kernels::GpuRunner gpu(kernels::RegisterCudaArray);
  const struct {
    Shape padded;
    std::vector<int64_t> paddings;
  } cases[] = {
      {Shape{9}, {3, 1}},
      {Shape{8, 6}, {2, 2, 1, 2}},
      {Shape{4, 7, 5}, {1, 1, 0, 0, 2, 0}},
      {Shape{300, 40}, {100, 99, 13, 2}},
      {Shape{4, 0}, {1, 1, 0, 0}},
      {Shape{2, 3}, {1, 1, 0, 0}},
  };
  const std::pair<DType, double> types[] = {
      {kFloat, 1e-6}, {kDouble, 1e-14}, {kHalf, 1e-3}, {kBfloat16, 8e-3}};
  for (const auto& [dtype, tolerance] : types) {
    for (const auto& each : cases) {
      for (const char* mode : {"REFLECT", "SYMMETRIC"}) {
        const Tensor grad = kernels::RandomTensor(dtype, each.padded, /*seed=*/1);
        const Tensor paddings =
            *Tensor::Vector<int64_t>(each.paddings).Reshaped(Shape{each.padded.rank(), 2});
        InEachOrder([&, dtype = dtype, tolerance = tolerance] {
          EXPECT_EQ(gpu.Compare("MirrorPadGrad", {{"mode", mode}}, {grad, paddings}, tolerance),
                    absl::OkStatus())
              << Name(dtype) << " " << each.padded.ToString() << " " << mode;
        });
      }
    }
  }
}

TEST(BandPartTest, KeepsTheDiagonals) {
  for (const int64_t lower : {-1, 0, 2}) {
    for (const int64_t upper : {-1, 0, 1}) {
      const auto input = Counting<float>(2 * 5 * 4);
      auto want = input;
      for (int64_t i = 0; i < 40; ++i) {
        const int64_t row = i / 4 % 5, column = i % 4;
        if ((lower >= 0 && row - column > lower) || (upper >= 0 && column - row > upper))
          want[static_cast<size_t>(i)] = 0;
      }
      DeviceArray<float> in_place(input);
      ASSERT_EQ(LaunchBandPart(4, in_place.data(), 2, 5, 4, lower, upper, in_place.data(), nullptr),
                cudaSuccess);
      EXPECT_EQ(in_place.Read(), want);
    }
  }
}

}  // namespace
}  // namespace sluice::cuda
