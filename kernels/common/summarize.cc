// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/summarize.h"

#include <cstdio>
#include <cstdlib>

#include "absl/functional/function_ref.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/number_variant.h"

namespace sluice::kernels {
namespace {

using PrintOne = absl::FunctionRef<std::string(int64_t)>;

// Prints six digits (fifteen for a double) if they are enough, as C's %g does; else nine or
// seventeen.
std::string Number(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  if (value == value && std::strtof(text, nullptr) != value)
    std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}
std::string Number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.15g", value);
  if (value == value && std::strtod(text, nullptr) != value)
    std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

// Walks the dimensions from the outermost. Stops after `limit` printed values.
struct Walk {
  absl::Span<const int64_t> dims;
  int64_t limit;
  PrintOne print;
  int64_t at = 0;
  std::string out;

  void Row(bool outermost) {
    for (int64_t i = 0; i < dims.back(); ++i) {
      if (at >= limit) {
        if (!outermost) out += "...";
        return;
      }
      if (i > 0) out += ' ';
      out += print(at++);
    }
  }
  void Dim(size_t depth) {
    if (at >= limit) return;
    if (depth + 1 == dims.size()) return Row(depth == 0);
    for (int64_t i = 0; i < dims[depth] && at < limit; ++i) {
      out += '[';
      Dim(depth + 1);
      out += ']';
    }
  }
};

std::string Values(const Shape& shape, int64_t limit, PrintOne print) {
  Walk walk{shape.dims(), limit, print, 0, {}};
  if (shape.rank() == 0) {
    if (limit > 0) walk.out = print(0);
  } else {
    walk.Dim(0);
  }
  if (shape.num_elements() > limit) walk.out += "...";
  return std::move(walk.out);
}

template <typename T>
std::string Print(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return absl::CEscape(value);
  else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
    return Number(value);
  else if constexpr (kIsNarrowFloat<T>)
    return Number(static_cast<float>(value));
  else
    return absl::StrCat(static_cast<int64_t>(value));
}

template <typename T>
std::string PrintAt(const Tensor& tensor, int64_t i) {
  if constexpr (std::is_same_v<T, uint64_t>)
    return absl::StrCat(tensor.data<T>()[i]);
  else
    return Print<T>(tensor.data<T>()[i]);
}

// Calls fn(a printer of elements). Returns false for types that have none.
template <typename Fn>
bool WithPrinter(const Tensor& tensor, Fn&& fn) {
  if (tensor.dtype() == kVariant) {
    fn([&](int64_t i) { return VariantText(tensor.flat<Variant>()[i]); });
    return true;
  }
  using Printed = Join<RealTypes, TypeList<bool, std::string>>;
  return VisitDType(Printed{}, tensor.dtype(),
                    [&]<typename T>(Type<T>) {
                      fn([&](int64_t i) { return PrintAt<T>(tensor, i); });
                      return absl::OkStatus();
                    })
      .ok();
}

struct NestedWalk {
  absl::Span<const int64_t> dims;
  int64_t ends;
  PrintOne print;
  std::string out = {};
  CancelPoints points{1 << 12};

  void Space(int dim) {
    const int rank = static_cast<int>(dims.size());
    out += dim == rank - 1 ? " " : std::string(rank - 1 - dim, '\n') + std::string(dim + 1, ' ');
  }
  // The part of the tensor in dimension `dim` that begins at element `at` of `inner`.
  void Dim(int dim, int64_t at) {
    if (dim == static_cast<int>(dims.size())) {
      points.Pass();
      out += print(at);
      return;
    }
    const int64_t size = dims[dim];
    const bool gap = ends >= 0 && size > ends && size - ends > ends;
    out += '[';
    for (int64_t i = 0; i < size; ++i) {
      if (i > 0) Space(dim);
      if (gap && i == ends) {
        out += "...";
        i = size - ends - 1;
        continue;
      }
      Dim(dim + 1, at * size + i);
    }
    out += ']';
  }
};

}  // namespace

std::string Summarize(const Tensor& tensor, int64_t limit) {
  if (limit < 0 || limit > tensor.num_elements()) limit = tensor.num_elements();
  std::string text;
  const bool known =
      WithPrinter(tensor, [&](PrintOne print) { text = Values(tensor.shape(), limit, print); });
  return known ? text : "?";
}

std::string SummarizeNested(const Tensor& tensor, int64_t ends) {
  std::string text;
  const bool known = WithPrinter(tensor, [&](PrintOne print) {
    auto quoted = [&](int64_t i) {
      return tensor.dtype() == kString ? absl::StrCat("\"", print(i), "\"") : print(i);
    };
    NestedWalk walk{tensor.shape().dims(), ends, quoted};
    walk.Dim(0, 0);
    text = std::move(walk.out);
  });
  return known ? text : "?";
}

}  // namespace sluice::kernels
