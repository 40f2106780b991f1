// SPDX-License-Identifier: Apache-2.0
// UnicodeDecode(WithOffsets), UnicodeEncode, UnicodeTranscode, StringLower, StringUpper: texts as
// sequences of characters.
#include "absl/strings/ascii.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"
#include "kernels/any/strings/unicode.h"
#include "kernels/any/strings/unicode_case.h"

namespace sluice::kernels {
namespace {

// The treatment of invalid bytes and, if requested, of control characters.
struct OnBad {
  bool strict, leave_out, controls;
  int32_t replacement;

  static absl::StatusOr<OnBad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string errors, node.Get<std::string>("errors"));
    SLUICE_ASSIGN(const int64_t replacement, node.Get<int64_t>("replacement_char"));
    if (replacement < 0 || replacement > kLastCodePoint) {
      return InvalidArgument("replacement_char out of unicode codepoint range");
    }
    return OnBad{errors == "strict", errors == "ignore",
                 GetAttrOr(node.attrs, "replace_control_characters", false),
                 static_cast<int32_t>(replacement)};
  }

  bool IsControl(const Character& c) const {
    constexpr int32_t kLastControl = 0x1F;
    return controls && !c.bad && c.point <= kLastControl;
  }
  // The code point to write; negative if there is none.
  int32_t PointOf(const Character& c) const {
    if (!c.bad && !IsControl(c)) return c.point;
    return leave_out ? -1 : replacement;
  }
};

absl::Status BadText() { return InvalidArgument("Invalid formatting on input string"); }

absl::StatusOr<Encoding> EncodingOf(const NodeSpec& node) {
  SLUICE_ASSIGN(const std::string name, node.Get<std::string>("output_encoding"));
  if (name == "UTF-16-BE") return Encoding::kUtf16BE;
  return name == "UTF-32-BE" ? Encoding::kUtf32BE : Encoding::kUtf8;
}

template <typename T>
absl::Status SetVector(KernelContext& ctx, int index, const std::vector<T>& values) {
  const auto size = static_cast<int64_t>(values.size());
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(index, {size}));
  std::copy(values.begin(), values.end(), out->mutable_data<T>());
  return absl::OkStatus();
}

// Text -> row_splits, char_values and the offset of each in its text.
template <typename Split>
struct UnicodeDecode {
  OnBad on_bad;
  std::string encoding;
  bool offsets;

  static absl::StatusOr<UnicodeDecode> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const OnBad on_bad, OnBad::Create(node));
    SLUICE_ASSIGN(std::string encoding, node.Get<std::string>("input_encoding"));
    return UnicodeDecode{on_bad, std::move(encoding), node.op.ends_with("WithOffsets")};
  }

  absl::Status Run(KernelContext& ctx) const {
    std::vector<Split> splits{0};
    std::vector<int32_t> points;
    std::vector<int64_t> starts;
    bool bad = false;
    SLUICE_RETURN_IF_ERROR(DecodeText(encoding, "", [](const Character&) {}));
    CancelPoints cancel_points(64);
    for (const std::string& text : ctx.input(0).flat<std::string>()) {
      cancel_points.Pass();
      int64_t at = 0;
      SLUICE_RETURN_IF_ERROR(DecodeText(encoding, text, [&](const Character& c) {
        bad |= c.bad;
        if (const int32_t point = on_bad.PointOf(c); point >= 0) {
          points.push_back(point);
          starts.push_back(at);
        }
        at += static_cast<int64_t>(c.size);
      }));
      splits.push_back(static_cast<Split>(points.size()));
    }
    if (bad && on_bad.strict) return BadText();
    SLUICE_RETURN_IF_ERROR(SetVector(ctx, 0, splits));
    SLUICE_RETURN_IF_ERROR(SetVector(ctx, 1, points));
    return offsets ? SetVector(ctx, 2, starts) : absl::OkStatus();
  }
};

// input_values, input_splits -> a string for each row of code points.
template <typename Split>
struct UnicodeEncode {
  OnBad on_bad;
  Encoding encoding;

  static absl::StatusOr<UnicodeEncode> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const OnBad on_bad, OnBad::Create(node));
    SLUICE_ASSIGN(const Encoding encoding, EncodingOf(node));
    return UnicodeEncode{on_bad, encoding};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& points = ctx.input(0);
    const Tensor& splits = ctx.input(1);
    if (points.rank() != 1 || splits.rank() != 1) {
      return InvalidArgument("Both the input_tensor and input_splits should be of rank 1.");
    }
    SLUICE_RETURN_IF_ERROR(CheckSplits(splits, points.num_elements()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, {splits.num_elements() - 1}));
    const int32_t* next = points.data<int32_t>();
    for (const int64_t row : Cancellable(out->num_elements())) {
      const Split size = splits.data<Split>()[row + 1] - splits.data<Split>()[row];
      for (Split i = 0; i < size; ++i, ++next) {
        const bool bad = *next < 0 || *next > kLastCodePoint || IsSurrogate(*next);
        if (bad && on_bad.strict) {
          return InvalidArgument("Code point is out of range for Unicode, or is a surrogate. ",
                                 "Code point value out of valid Unicode range.");
        }
        const int32_t point = on_bad.PointOf({*next, 1, bad});
        if (point >= 0) AppendEncoded(encoding, point, &out->mutable_data<std::string>()[row]);
      }
    }
    return absl::OkStatus();
  }

  static absl::Status CheckSplits(const Tensor& splits, int64_t size) {
    const auto values = splits.flat<Split>();
    if (values.empty()) return InvalidArgument("input_splits must not be empty.");
    if (values.front() != 0) return InvalidArgument("First value in input_splits must be zero.");
    if (values.back() != size) {
      return InvalidArgument("Last value in input_splits must be equal to length of input_tensor.");
    }
    if (std::is_sorted(values.begin(), values.end())) return absl::OkStatus();
    return InvalidArgument("Values in input_splits must be equal or in ascending order.");
  }
};

struct UnicodeTranscode {
  OnBad on_bad;
  std::string from;
  Encoding to;

  static absl::StatusOr<UnicodeTranscode> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const OnBad on_bad, OnBad::Create(node));
    SLUICE_ASSIGN(std::string from, node.Get<std::string>("input_encoding"));
    SLUICE_ASSIGN(const Encoding to, EncodingOf(node));
    return UnicodeTranscode{on_bad, std::move(from), to};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, input.shape()));
    bool bad = false;
    SLUICE_RETURN_IF_ERROR(DecodeText(from, "", [](const Character&) {}));
    for (const int64_t i : Cancellable(input.num_elements())) {
      std::string& text = out->mutable_data<std::string>()[i];
      SLUICE_RETURN_IF_ERROR(
          DecodeText(from, input.data<std::string>()[i], [&](const Character& c) {
            bad |= c.bad || on_bad.IsControl(c);
            const int32_t point = on_bad.PointOf(c);
            if (point >= 0) AppendEncoded(to, point, &text);
          }));
    }
    return bad && on_bad.strict ? BadText() : absl::OkStatus();
  }
};

// Changes only ASCII letters, or all.
template <bool kUpper>
struct StringCase {
  bool ascii;

  static absl::StatusOr<StringCase> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string encoding, node.Get<std::string>("encoding"));
    if (encoding.empty() || encoding == "utf-8") return StringCase{encoding.empty()};
    return InvalidArgument("only utf-8 or '' (no encoding) is supported, received ", encoding);
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, input.shape()));
    for (const int64_t i : Cancellable(input.num_elements())) {
      const std::string& text = input.data<std::string>()[i];
      std::string& to = out->mutable_data<std::string>()[i];
      if (ascii) {
        to = kUpper ? absl::AsciiStrToUpper(text) : absl::AsciiStrToLower(text);
        continue;
      }
      std::vector<int32_t> points;
      SLUICE_RETURN_IF_ERROR(
          DecodeText("UTF-8", text, [&](const Character& c) { points.push_back(c.point); }));
      CancelPoints cancel_points(1 << 16);
      for (const int32_t point : kUpper ? Upper(points) : Lower(points)) {
        cancel_points.Pass();
        AppendEncoded(Encoding::kUtf8, point, &to);
      }
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterUnicode(KernelRegistry& kernels) {
  for (const char* op : {"UnicodeDecode", "UnicodeDecodeWithOffsets"}) {
    kernels.Add<UnicodeDecode<int32_t>>(op, kCpu, {{"Tsplits", {kInt32}}});
    kernels.Add<UnicodeDecode<int64_t>>(op, kCpu, {{"Tsplits", {kInt64}}});
  }
  kernels.Add<UnicodeEncode<int32_t>>("UnicodeEncode", kCpu, {{"Tsplits", {kInt32}}});
  kernels.Add<UnicodeEncode<int64_t>>("UnicodeEncode", kCpu, {{"Tsplits", {kInt64}}});
  kernels.Add<UnicodeTranscode>("UnicodeTranscode", kCpu);
  kernels.Add<StringCase<false>>("StringLower", kCpu);
  kernels.Add<StringCase<true>>("StringUpper", kCpu);
}

}  // namespace sluice::kernels
