// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_KERNELS_CUDA_DEVICE_ARRAY_H_
#define SLUICE_TESTS_KERNELS_CUDA_DEVICE_ARRAY_H_

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Elements in device memory. T is not bool in a std::vector: bools are read and written as Byte.
template <typename T>
class DeviceArray {
 public:
  using Host = std::vector<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>;

  explicit DeviceArray(size_t n) : n_(n) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<size_t>(n, 1) * sizeof(T)),
              cudaSuccess);
  }
  explicit DeviceArray(const Host& values) : DeviceArray(values.size()) {
    if (n_ == 0) return;
    EXPECT_EQ(cudaMemcpy(data_, values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() { return data_; }
  // Waits for the device.
  Host Read() const {
    Host values(n_);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    if (n_ > 0) {
      EXPECT_EQ(cudaMemcpy(values.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost),
                cudaSuccess);
    }
    return values;
  }

 private:
  T* data_ = nullptr;
  const size_t n_;
};

// The element of a type.
template <typename T>
Element ElementFor() {
  Element found{};
  using All = Joined<Joined<RealElements, ComplexElements>, ElementList<Element::kBool>>;
  const auto look = [&]<Element... kElements>(ElementList<kElements...>) {
    ((std::is_same_v<ElementType<kElements>, T> ? void(found = kElements) : void()), ...);
  };
  look(All{});
  return found;
}

// Numbers, rounded to T: in [low, high] for floating types, whole numbers for others.
template <typename T>
typename DeviceArray<T>::Host RandomNumbers(size_t n, int seed, double low = -4, double high = 4) {
  std::mt19937 generator(static_cast<unsigned>(seed) * 7919u + static_cast<unsigned>(n));
  std::uniform_real_distribution<double> draw(low, high);
  typename DeviceArray<T>::Host values(n);
  for (auto& value : values) {
    if constexpr (std::is_same_v<T, bool>) {
      value = draw(generator) > (low + high) / 2 ? 1 : 0;
    } else if constexpr (kIsComplex<T>) {
      using R = decltype(T::re);
      value.re = static_cast<R>(draw(generator));
      value.im = static_cast<R>(draw(generator));
    } else if constexpr (std::is_unsigned_v<T>) {
      value = static_cast<T>(std::fabs(std::round(draw(generator))));
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(std::round(draw(generator)));
    } else {
      value = Narrow<T>(static_cast<Wide<T>>(draw(generator)));
    }
  }
  return values;
}

template <typename T>
double AsDouble(T value) {
  return static_cast<double>(Widen(value));
}

// The allowed difference between a result of T and the reference, relative to its size.
template <typename T>
double ToleranceOf() {
  if constexpr (std::is_same_v<T, __half>) return 2e-3;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return 1.6e-2;
  if constexpr (std::is_same_v<T, float>) return 2e-6;
  if constexpr (std::is_same_v<T, double>) return 1e-13;
  return 0;
}

template <typename T>
testing::AssertionResult Near(T got_value, double want, double tolerance = ToleranceOf<T>()) {
  const double got = AsDouble(got_value);
  // A value that the type cannot hold becomes an infinity.
  double held = want;
  if constexpr (kIsNarrow<T> || std::is_same_v<T, float>)
    held = AsDouble(Narrow<T>(static_cast<Wide<T>>(want)));
  if ((std::isnan(got) && std::isnan(held)) || got == held || got == want)
    return testing::AssertionSuccess();
  if (std::fabs(got - want) <= tolerance * std::max(1.0, std::fabs(want)))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got " << got << ", expected " << want;
}

inline constexpr int kSeeds[] = {1, 2, 3};

}  // namespace sluice::cuda

#endif  // SLUICE_TESTS_KERNELS_CUDA_DEVICE_ARRAY_H_
