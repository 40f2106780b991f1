// SPDX-License-Identifier: Apache-2.0
// AsString, StringFormat: numbers and tensors as text.
#include <algorithm>
#include <cstdio>

#include "absl/strings/str_split.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/float16.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"
#include "kernels/common/summarize.h"

namespace sluice::kernels {
namespace {

// printf's formats.
struct AsString {
  std::string flags;  // "%", fill, width, precision
  char kind;          // of floats
  int64_t width, precision;
  bool left;

  static absl::StatusOr<AsString> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("T"));
    SLUICE_ASSIGN(const int64_t precision, node.Get<int64_t>("precision"));
    SLUICE_ASSIGN(const bool scientific, node.Get<bool>("scientific"));
    SLUICE_ASSIGN(const bool shortest, node.Get<bool>("shortest"));
    SLUICE_ASSIGN(const int64_t width, node.Get<int64_t>("width"));
    SLUICE_ASSIGN(const std::string fill, node.Get<std::string>("fill"));
    if (dtype != kString && !(kFloating | kComplex).contains(dtype)) {
      if (scientific || shortest) {
        return InvalidArgument("scientific and shortest format not supported for datatype ", dtype);
      }
      if (precision >= 0) {
        return InvalidArgument("precision not supported for datatype ", dtype);
      }
    }
    if (scientific && shortest) {
      return InvalidArgument("Cannot select both scientific and shortest notation");
    }
    if (fill.size() > 1) {
      return InvalidArgument("Fill string must be one or fewer characters");
    }
    if (!fill.empty() && absl::string_view(" +-0#").find(fill[0]) == absl::string_view::npos) {
      return InvalidArgument("Fill argument not supported: \"", fill, "\"");
    }
    constexpr int64_t kMost = 1 << 20;
    if (width > kMost || precision > kMost) {
      return InvalidArgument("width ", width, " or precision ", precision, " is too large");
    }
    AsString made{"%", scientific ? 'e' : shortest ? 'g' : 'f', width, precision, fill == "-"};
    made.flags += fill;  // without a width too: a sign or a blank before numbers
    if (width > -1) made.flags += absl::StrCat(width);
    if (precision > -1) made.flags += absl::StrCat(".", precision);
    return made;
  }

  template <typename V>
  std::string Print(absl::string_view conversion, V value) const {
    const std::string format = absl::StrCat(flags, conversion);
    const int size = std::snprintf(nullptr, 0, format.c_str(), value);
    std::string text(size < 0 ? 0 : size, '\0');
    std::snprintf(text.data(), text.size() + 1, format.c_str(), value);
    return text;
  }

  // Like "%s", but including text after a NUL. Without a width nothing is cut either.
  std::string Padded(const std::string& value) const {
    if (width < 0) return value;
    const std::string text = precision < 0 ? value : value.substr(0, precision);
    const std::string blanks(std::max<int64_t>(0, width - static_cast<int64_t>(text.size())), ' ');
    return left ? text + blanks : blanks + text;
  }

  template <typename T>
  std::string Text(const T& value) const {
    const std::string conversion(1, kind);
    if constexpr (std::is_same_v<T, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_same_v<T, std::string>) {
      return Padded(value);
    } else if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
      return absl::StrCat("(", Print(conversion, static_cast<double>(value.real())), ",",
                          Print(conversion, static_cast<double>(value.imag())), ")");
    } else if constexpr (std::is_integral_v<T>) {
      return std::is_signed_v<T> ? Print("lld", static_cast<long long>(value))            // NOLINT
                                 : Print("llu", static_cast<unsigned long long>(value));  // NOLINT
    } else {
      return Print(conversion, static_cast<double>(static_cast<ComputeType<T>>(value)));
    }
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, input.shape()));
    return VisitDType(Join<NumericTypes, TypeList<bool, std::string>>{}, input.dtype(),
                      [&]<typename T>(Type<T>) {
                        for (const int64_t i : Cancellable(input.num_elements())) {
                          out->mutable_data<std::string>()[i] = Text(input.data<T>()[i]);
                        }
                        return absl::OkStatus();
                      });
  }
};

// Fills tensors into the placeholders of a text.
struct StringFormat {
  std::vector<std::string> pieces;
  int64_t ends;

  static absl::StatusOr<StringFormat> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string text, node.Get<std::string>("template"));
    SLUICE_ASSIGN(const std::string placeholder, node.Get<std::string>("placeholder"));
    SLUICE_ASSIGN(const int64_t ends, node.Get<int64_t>("summarize"));
    const std::vector<std::string> pieces = absl::StrSplit(text, placeholder);
    if (placeholder.empty() || pieces.size() != node.input_types.size() + 1) {
      return InvalidArgument("num placeholders in template and num inputs must match: ",
                             pieces.size() - 1, " vs. ", node.input_types.size());
    }
    return StringFormat{pieces, ends};
  }
  absl::Status Run(KernelContext& ctx) const {
    std::string text = pieces[0];
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      absl::StrAppend(&text, SummarizeNested(ctx.input(i), ends), pieces[i + 1]);
    }
    ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(text)));
    return absl::OkStatus();
  }
};

// Fact, TensorFlow's example of an op.
struct Fact {
  absl::Status Run(KernelContext& ctx) const {
    ctx.SetOutput(0, Tensor::Scalar(std::string("0! == 1")));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStringText(KernelRegistry& kernels) {
  kernels.Add<Fact>("Fact", kCpu);
  kernels.Add<AsString>("AsString", kCpu, {{"T", kNumeric | DTypeSet{kBool} | DTypeSet{kString}}});
  kernels.Add<StringFormat>("StringFormat", kCpu);
}

}  // namespace sluice::kernels
