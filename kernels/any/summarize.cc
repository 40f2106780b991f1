#include "kernels/any/summarize.h"

#include <cstdio>
#include <cstdlib>

#include "absl/functional/function_ref.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace sluice::kernels {
namespace {

using PrintOne = absl::FunctionRef<std::string(int64_t)>;

// Six digits when they are enough, as C's %g; eight (float) or seventeen (double) when they are
// not.
std::string Number(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  if (value == value && std::strtof(text, nullptr) != value)
    std::snprintf(text, sizeof(text), "%.8g", value);
  return text;
}
std::string Number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.15g", value);
  if (value == value && std::strtod(text, nullptr) != value)
    std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

// Walks the dimensions from the outermost; stops where `limit` values have been printed.
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

}  // namespace

std::string Summarize(const Tensor& tensor, int64_t limit) {
  if (limit < 0 || limit > tensor.num_elements()) limit = tensor.num_elements();
  using Printed = Join<RealTypes, TypeList<bool, std::string>>;
  std::string text;
  const absl::Status known = VisitDType(Printed{}, tensor.dtype(), [&]<typename T>(Type<T>) {
    const T* data = tensor.data<T>();
    text = Values(tensor.shape(), limit, [data](int64_t i) {
      if constexpr (std::is_same_v<T, uint64_t>)
        return absl::StrCat(data[i]);
      else
        return Print<T>(data[i]);
    });
    return absl::OkStatus();
  });
  return known.ok() ? text : "?";
}

}  // namespace sluice::kernels
