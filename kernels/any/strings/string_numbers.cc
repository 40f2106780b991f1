// SPDX-License-Identifier: Apache-2.0
// StringToNumber, DecodeRaw, DecodePaddedRaw: numbers from strings, as text or as bytes.
#include <algorithm>

#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"
#include "kernels/common/parsing/parse_number.h"

namespace sluice::kernels {
namespace {

using NumberTypes = TypeList<float, double, int32_t, int64_t, uint32_t, uint64_t>;

struct StringToNumber {
  bool as_in_1x;

  static absl::StatusOr<StringToNumber> Create(const NodeSpec& node) {
    return StringToNumber{IsFrom1x(node)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, input.shape()));
    return VisitDType(NumberTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      for (const int64_t i : Cancellable(input.num_elements())) {
        const std::string& text = input.data<std::string>()[i];
        if (ParseNumber(text, &out->mutable_data<T>()[i], as_in_1x)) continue;
        return InvalidArgument("StringToNumberOp could not correctly convert string: ", text);
      }
      return absl::OkStatus();
    });
  }
};

// Strings as the bytes of numbers.
struct DecodeRaw {
  DType dtype;
  int64_t size;  // of an element
  bool little_endian;

  static absl::StatusOr<DecodeRaw> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("out_type"));
    SLUICE_ASSIGN(const bool little_endian, node.Get<bool>("little_endian"));
    return DecodeRaw{dtype, static_cast<int64_t>(SizeOf(dtype)), little_endian};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const auto texts = input.flat<std::string>();
    const size_t length = texts.empty() ? 0 : texts.front().size();
    for (size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].size() == length) continue;
      return InvalidArgument(
          "DecodeRaw requires input strings to all be the same size, but element ", i, " has size ",
          length, " != ", texts[i].size());
    }
    const auto bytes = static_cast<int64_t>(length);
    if (bytes % size != 0) {
      return InvalidArgument("Input to DecodeRaw has length ", length,
                             " that is not a multiple of ", size, ", the size of ", dtype);
    }
    return Decode(ctx, bytes / size);
  }

 protected:
  // `width` elements of each string; missing bytes are 0.
  absl::Status Decode(KernelContext& ctx, int64_t width) const {
    const Tensor& input = ctx.input(0);
    Shape::Dims dims(input.shape().dims().begin(), input.shape().dims().end());
    dims.push_back(width);
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const auto bytes = static_cast<size_t>(width * size);
    char* to = out->mutable_data<char>();
    CancelPoints points(64);
    for (const std::string& text : input.flat<std::string>()) {
      points.Pass();
      const size_t given = std::min(bytes, text.size());
      std::fill(std::copy_n(text.begin(), given, to), to + bytes, 0);
      Arrange(to, bytes);
      to += bytes;
    }
    return absl::OkStatus();
  }

 private:
  // Converts from the byte order of the input to little endian.
  void Arrange(char* to, size_t bytes) const {
    if (dtype == kBool) std::transform(to, to + bytes, to, [](char c) { return c != 0; });
    if (little_endian) return;
    const auto part = static_cast<size_t>(kComplex.contains(dtype) ? size / 2 : size);
    for (size_t at = 0; at < bytes; at += part) std::reverse(to + at, to + at + part);
  }
};

// The same with a given length: longer strings are cut.
struct DecodePaddedRaw : DecodeRaw {
  static absl::StatusOr<DecodePaddedRaw> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DecodeRaw decode, DecodeRaw::Create(node));
    return DecodePaddedRaw{decode};
  }

  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(1).rank() != 0) {
      return InvalidArgument("k must be scalar, got shape ", ctx.input(1).shape());
    }
    const int64_t length = ctx.input(1).scalar<int32_t>();
    if (length % size != 0) {
      return InvalidArgument("fixed_length (", length,
                             ") must be a multiple of the size of out_type (", size, ")");
    }
    if (length > 0) return Decode(ctx, length / size);
    return InvalidArgument("fixed_length (", length, ") must be greater than zero.");
  }
};

}  // namespace

void RegisterStringNumbers(KernelRegistry& kernels) {
  const DTypeSet numbers{kFloat, kDouble, kInt32, kInt64, kUint32, kUint64};
  kernels.Add<StringToNumber>("StringToNumber", kCpu, {{"out_type", numbers}});
  const DTypeSet padded = kFloating | DTypeSet{kInt8, kUint8, kInt16, kUint16, kInt32, kInt64};
  kernels.Add<DecodePaddedRaw>("DecodePaddedRaw", kCpu, {{"out_type", padded}});
  kernels.Add<DecodeRaw>("DecodeRaw", kCpu, {{"out_type", padded | kComplex | DTypeSet{kBool}}});
}

}  // namespace sluice::kernels
