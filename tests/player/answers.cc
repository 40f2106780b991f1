// SPDX-License-Identifier: Apache-2.0
#include "tests/player/answers.h"

#include <cmath>
#include <complex>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace sluice::player {
namespace {

// Those of tests/interop/tools/op_nodes.py.
Tolerance ToleranceOf(DType dtype) {
  switch (dtype) {
    case kHalf:
      return {4e-3, 2e-3};
    case kBfloat16:
      return {3e-2, 1e-2};
    case kFloat:
      return {1e-5, 1e-6};
    case kDouble:
      return {1e-10, 1e-11};
    case kComplex64:
      return {2e-5, 2e-6};
    case kComplex128:
      return {1e-10, 1e-11};
    default:
      return {};
  }
}

bool Close(double actual, double answer, double most) {
  if (std::isnan(actual) || std::isnan(answer)) return std::isnan(actual) && std::isnan(answer);
  // Infinities of one sign are equal. Their difference is NaN, so they are compared first.
  return actual == answer || std::abs(actual - answer) <= most;
}

template <typename T>
bool Close(const T& actual, const T& answer, const Tolerance& tolerance) {
  if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
    // As in NumPy, a number with one part that is NaN is NaN.
    const auto is_nan = [](const T& z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
    if (is_nan(actual) || is_nan(answer)) return is_nan(actual) && is_nan(answer);
    const double most = tolerance.absolute + tolerance.relative * std::abs(answer);
    return Close(actual.real(), answer.real(), most) && Close(actual.imag(), answer.imag(), most);
  } else if constexpr (std::is_floating_point_v<T> || kIsNarrowFloat<T>) {
    const double wanted = static_cast<double>(answer);
    // No tolerance is infinite: a finite value is not close to an infinite one.
    if (std::isinf(wanted)) return static_cast<double>(actual) == wanted;
    return Close(static_cast<double>(actual), wanted,
                 tolerance.absolute + tolerance.relative * std::abs(wanted));
  } else {
    return actual == answer;
  }
}

using ComparedTypes = Join<Join<NumericTypes, TypeList<bool, std::string>>,
                           TypeList<Qint8, Quint8, Qint16, Quint16, Qint32>>;

template <typename T>
std::string Text(const T& value) {
  if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
    return absl::StrCat("(", value.real(), ", ", value.imag(), ")");
  } else if constexpr (kIsNarrowFloat<T>) {
    return absl::StrCat(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, double>) {
    return absl::StrFormat("%.15g", value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return absl::StrCat("\"", absl::CHexEscape(value), "\"");
  } else if constexpr (std::is_arithmetic_v<T>) {
    return absl::StrCat(value);
  } else {
    return absl::StrCat(value.value);
  }
}

template <typename T>
absl::Status CompareElements(const Tensor& actual, const Tensor& answer, Tolerance tolerance) {
  const auto a = actual.flat<T>(), b = answer.flat<T>();
  int64_t different = 0;
  int64_t first = -1;
  for (size_t i = 0; i < a.size(); ++i) {
    if (Close(a[i], b[i], tolerance)) continue;
    if (first < 0) first = static_cast<int64_t>(i);
    ++different;
  }
  if (different == 0) return absl::OkStatus();
  return Internal("element ", first, " of ", answer.shape(), " is ", Text(a[first]),
                  ", TensorFlow's is ", Text(b[first]), " (", different, " of ", a.size(), ")");
}

}  // namespace

absl::Status CompareAnswer(const Tensor& actual, const Tensor& answer, Tolerance tolerance) {
  if (actual.dtype() != answer.dtype() || actual.shape() != answer.shape()) {
    return Internal("is ", actual.dtype(), actual.shape(), ", TensorFlow's ", answer.dtype(),
                    answer.shape());
  }
  const Tolerance usual = ToleranceOf(answer.dtype());
  if (tolerance.relative == 0) tolerance.relative = usual.relative;
  if (tolerance.absolute == 0) tolerance.absolute = usual.absolute;
  return VisitDType(ComparedTypes{}, answer.dtype(), [&]<typename T>(Type<T>) {
    return CompareElements<T>(actual, answer, tolerance);
  });
}

}  // namespace sluice::player
