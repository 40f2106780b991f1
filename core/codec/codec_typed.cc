// SPDX-License-Identifier: Apache-2.0
#include "core/codec/codec.h"
#include "proto/tensor.pb.h"

namespace sluice {

absl::Status EncodeTypedFields(const Tensor& tensor, proto::TensorProto* to) {
  auto each = [&]<typename T>(Type<T>) {
    for (const T& value : tensor.flat<T>()) {
      if constexpr (std::is_same_v<T, float>) {
        to->add_float_val(value);
      } else if constexpr (std::is_same_v<T, double>) {
        to->add_double_val(value);
      } else if constexpr (std::is_same_v<T, std::string>) {
        to->add_string_val(value);
      } else if constexpr (std::is_same_v<T, Complex64>) {
        to->add_scomplex_val(value.real());
        to->add_scomplex_val(value.imag());
      } else if constexpr (std::is_same_v<T, Complex128>) {
        to->add_dcomplex_val(value.real());
        to->add_dcomplex_val(value.imag());
      } else if constexpr (std::is_same_v<T, int64_t>) {
        to->add_int64_val(value);
      } else if constexpr (std::is_same_v<T, bool>) {
        to->add_bool_val(value);
      } else if constexpr (std::is_same_v<T, uint32_t>) {
        to->add_uint32_val(value);
      } else if constexpr (std::is_same_v<T, uint64_t>) {
        to->add_uint64_val(value);
      } else {
        to->add_int_val(static_cast<int32_t>(value));
      }
    }
    return absl::OkStatus();
  };
  auto bits = [&](auto convert) {
    for (int64_t i = 0; i < tensor.num_elements(); ++i) convert(i);
    return absl::OkStatus();
  };
  switch (tensor.dtype()) {
    case kHalf:
    case kBfloat16:
      return bits([&](int64_t i) { to->add_half_val(tensor.data<uint16_t>()[i]); });
    case kQint8:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<int8_t>()[i]); });
    case kQuint8:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<uint8_t>()[i]); });
    case kQint16:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<int16_t>()[i]); });
    case kQuint16:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<uint16_t>()[i]); });
    case kQint32:
      return bits([&](int64_t i) { to->add_int_val(tensor.data<int32_t>()[i]); });
    default:
      return VisitDType(
          Join<TypeList<float, double, Complex64, Complex128, bool, std::string>, IntegerTypes>{},
          tensor.dtype(), each);
  }
}

}  // namespace sluice
