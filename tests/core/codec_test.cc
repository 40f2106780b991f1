// SPDX-License-Identifier: Apache-2.0
#include "core/codec/codec.h"

#include <limits>

#include "core/op/attr.h"
#include "core/runtime/device.h"
#include "core/tensor/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/attr_value.pb.h"
#include "proto/device.pb.h"
#include "proto/tensor.pb.h"

namespace sluice {
namespace {

using ::testing::ElementsAre;

proto::TensorProto Proto(int dtype, const std::vector<int64_t>& dims) {
  proto::TensorProto message;
  message.set_dtype(static_cast<proto::DataType>(dtype));
  for (int64_t d : dims) message.mutable_tensor_shape()->add_dim()->set_size(d);
  return message;
}

absl::StatusCode CodeOf(const proto::TensorProto& message) {
  return DecodeTensor(message).status().code();
}

template <typename T>
std::vector<T> Values(const proto::TensorProto& message) {
  const Tensor t = *DecodeTensor(message);
  return std::vector<T>(t.flat<T>().begin(), t.flat<T>().end());
}

Tensor RoundTrip(const Tensor& tensor, TensorForm form = TensorForm::kContent) {
  proto::TensorProto message;
  EXPECT_TRUE(EncodeTensor(tensor, &message, form).ok());
  return *DecodeTensor(message);
}

TEST(CodecTest, EveryPlainTypeRoundTripsAsContent) {
  for (int i = 1; i <= 23; ++i) {
    const DType dtype = static_cast<DType>(i);
    if (!IsPlain(dtype)) continue;
    Tensor t(dtype, Shape{2, 3});
    for (size_t b = 0; b < t.bytes(); ++b)
      t.mutable_data<uint8_t>()[b] = dtype == kBool ? b % 2 : b * 3;
    const Tensor back = RoundTrip(t);
    EXPECT_TRUE(Attr(back) == Attr(t)) << Name(dtype);
  }
}

TEST(CodecTest, ALargeTensorOfOneValueIsThatValue) {
  for (int i = 1; i <= 23; ++i) {
    const DType dtype = static_cast<DType>(i);
    if (!IsPlain(dtype)) continue;
    Tensor t(dtype, Shape{300, 300});
    const size_t size = SizeOf(dtype);
    for (size_t b = 0; b < t.bytes(); ++b)
      t.mutable_data<uint8_t>()[b] = dtype == kBool ? 1 : static_cast<uint8_t>(b % size * 37 + 200);
    proto::TensorProto message;
    ASSERT_TRUE(EncodeTensor(t, &message).ok());
    EXPECT_LT(message.ByteSizeLong(), 100u) << Name(dtype);
    const Tensor back = *DecodeTensor(message);
    EXPECT_EQ(std::memcmp(back.raw(), t.raw(), t.bytes()), 0) << Name(dtype);
    t.mutable_data<uint8_t>()[t.bytes() - 1] ^= 1;
    EXPECT_TRUE(Attr(RoundTrip(t)) == Attr(t)) << Name(dtype);
  }
}

TEST(CodecTest, StringsRoundTripInBothForms) {
  const Tensor t =
      Tensor::Of<std::string>(Shape{2, 2}, {"", "a", std::string(300, 'b'), std::string("\0c", 2)});
  EXPECT_TRUE(Attr(RoundTrip(t)) == Attr(t));
  EXPECT_TRUE(Attr(RoundTrip(t, TensorForm::kReadable)) == Attr(t));
  proto::TensorProto message;
  ASSERT_TRUE(EncodeTensor(t, &message, TensorForm::kReadable).ok());
  EXPECT_EQ(message.string_val_size(), 4);
  EXPECT_TRUE(message.tensor_content().empty());
}

TEST(CodecTest, EmptyTensorsHaveNoContent) {
  proto::TensorProto message;
  ASSERT_TRUE(EncodeTensor(Tensor(kString, Shape{0, 3}), &message).ok());
  EXPECT_TRUE(message.tensor_content().empty());
  EXPECT_EQ(DecodeTensor(message)->shape(), (Shape{0, 3}));
  message.set_tensor_content("whatever");
  EXPECT_TRUE(DecodeTensor(message).ok());
}

TEST(CodecTest, HandlesAndObjectsRoundTrip) {
  Tensor t(kResource, Shape{});
  ResourceHandle& handle = *t.mutable_data<ResourceHandle>();
  handle.device = "/job:ps/replica:0/task:0/device:CPU:0";
  handle.name = "v";
  handle.hash_code = 17;
  handle.dtypes_and_shapes.emplace_back(kFloat, PartialShape{-1, 3});
  const Tensor back = RoundTrip(t);
  EXPECT_EQ(back.scalar<ResourceHandle>().name, "v");
  EXPECT_EQ(back.scalar<ResourceHandle>().dtypes_and_shapes[0].second, (PartialShape{-1, 3}));

  Tensor v(kVariant, Shape{2});
  v.mutable_data<Variant>()[1] = Variant(MakeRefCounted<OpaqueVariant>(
      "list", "meta",
      std::vector<Tensor>{Tensor::Scalar<float>(3), Tensor::Scalar<std::string>("s")}));
  proto::TensorProto readable;
  ASSERT_TRUE(EncodeTensor(v, &readable, TensorForm::kReadable).ok());
  EXPECT_EQ(readable.variant_val_size(), 2);
  EXPECT_TRUE(readable.tensor_content().empty());
  for (const Tensor& objects : {RoundTrip(v), *DecodeTensor(readable)}) {
    EXPECT_TRUE(objects.data<Variant>()[0].empty());
    const auto* object = objects.data<Variant>()[1].get_if<OpaqueVariant>();
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(object->metadata(), "meta");
    EXPECT_EQ(object->tensors()[1].scalar<std::string>(), "s");
  }
}

TEST(CodecTest, ShortTypedListsRepeatTheLastValue) {
  proto::TensorProto message = Proto(1, {4});
  EXPECT_THAT(Values<float>(message), ElementsAre(0, 0, 0, 0));
  message.add_float_val(1);
  message.add_float_val(2);
  EXPECT_THAT(Values<float>(message), ElementsAre(1, 2, 2, 2));
  for (int i = 0; i < 5; ++i) message.add_float_val(9);
  EXPECT_THAT(Values<float>(message), ElementsAre(1, 2, 9, 9));

  proto::TensorProto strings = Proto(7, {2});
  EXPECT_THAT(Values<std::string>(strings), ElementsAre("", ""));
  strings.add_string_val("x");
  EXPECT_THAT(Values<std::string>(strings), ElementsAre("x", "x"));
}

TEST(CodecTest, NarrowIntegersAreTruncatedAndOddComplexHalvesDropped) {
  proto::TensorProto bytes = Proto(4, {2});
  bytes.add_int_val(257);
  bytes.add_int_val(-1);
  EXPECT_THAT(Values<uint8_t>(bytes), ElementsAre(1, 255));
  proto::TensorProto halves = Proto(19, {});
  halves.add_half_val(0x73c00);
  EXPECT_EQ(DecodeTensor(halves)->scalar<Half>().bits, 0x3c00);
  proto::TensorProto complex = Proto(8, {2});
  for (float f : {1.f, 2.f, 3.f}) complex.add_scomplex_val(f);
  EXPECT_THAT(Values<Complex64>(complex), ElementsAre(Complex64(1, 2), Complex64(1, 2)));
  proto::TensorProto qint = Proto(11, {1});
  qint.add_int_val(300);
  EXPECT_EQ(DecodeTensor(qint)->scalar<Qint8>().value, 44);
}

TEST(CodecTest, MissingHandlesRepeatMissingObjectsAreEmpty) {
  proto::TensorProto handles = Proto(20, {2});
  handles.add_resource_handle_val()->set_name("v");
  EXPECT_EQ(DecodeTensor(handles)->data<ResourceHandle>()[1].name, "v");
  proto::TensorProto objects = Proto(21, {2});
  objects.add_variant_val()->set_type_name("t");
  const Tensor t = *DecodeTensor(objects);
  EXPECT_FALSE(t.data<Variant>()[0].empty());
  EXPECT_TRUE(t.data<Variant>()[1].empty());
}

TEST(CodecTest, ContentWinsOverTypedFields) {
  proto::TensorProto message = Proto(3, {1});
  message.set_tensor_content(std::string("\x05\0\0\0", 4));
  message.add_int_val(7);
  EXPECT_THAT(Values<int32_t>(message), ElementsAre(5));
  proto::TensorProto flags = Proto(10, {2});
  flags.set_tensor_content(std::string("\x02\0", 2));
  EXPECT_THAT(Values<bool>(flags), ElementsAre(true, false));
}

TEST(CodecTest, ImpossibleTypesAndShapesAreRefused) {
  for (int dtype : {0, 24, 33, 100, 101, 123, 999, -1}) {
    EXPECT_EQ(CodeOf(Proto(dtype, {})), absl::StatusCode::kInvalidArgument) << dtype;
  }
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const std::vector<int64_t>& dims :
       std::vector<std::vector<int64_t>>{{-1},
                                         {-2},
                                         {kMax, 2},
                                         {0, kMax, kMax},
                                         {int64_t{1} << 32, int64_t{1} << 32},
                                         std::vector<int64_t>(255, 1)}) {
    EXPECT_EQ(CodeOf(Proto(1, dims)), absl::StatusCode::kInvalidArgument);
  }
  proto::TensorProto unknown = Proto(1, {});
  unknown.mutable_tensor_shape()->set_unknown_rank(true);
  EXPECT_EQ(CodeOf(unknown), absl::StatusCode::kInvalidArgument);
}

TEST(CodecTest, SizesWithoutBytesCostNoMemory) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (int dtype : {1, 7, 10, 18, 20, 21}) {
    EXPECT_EQ(CodeOf(Proto(dtype, {kMax})), absl::StatusCode::kResourceExhausted) << dtype;
    proto::TensorProto message = Proto(dtype, {kMax});
    message.set_tensor_content("abcd");
    EXPECT_EQ(CodeOf(message), absl::StatusCode::kInvalidArgument) << dtype;
  }
}

TEST(CodecTest, ContentOfAnyOtherLengthIsRefused) {
  proto::TensorProto full;
  ASSERT_TRUE(
      EncodeTensor(Tensor::Of<std::string>(Shape{3}, {"ab", std::string(200, 'c'), ""}), &full)
          .ok());
  const std::string content = full.tensor_content();
  for (size_t n = 1; n < content.size(); ++n) {
    full.set_tensor_content(content.substr(0, n));
    EXPECT_EQ(CodeOf(full), absl::StatusCode::kInvalidArgument) << n;
  }
  full.set_tensor_content(content + "x");
  EXPECT_EQ(CodeOf(full), absl::StatusCode::kInvalidArgument);
  proto::TensorProto floats = Proto(1, {2});
  for (size_t n : {1, 4, 7, 9, 16}) {
    floats.set_tensor_content(std::string(n, 'x'));
    EXPECT_EQ(CodeOf(floats), absl::StatusCode::kInvalidArgument) << n;
  }
}

TEST(CodecTest, MalformedLengthsAreRefused) {
  proto::TensorProto message = Proto(7, {2});
  for (const char* hex : {"\xff\xff\xff\xff\xff\x01", "\xff\xff\xff\xff\x0f\xff\xff\xff\xff\x0f",
                          "\x80\x80", "\xff\xff\xff\xff\x7f\x01"}) {
    message.set_tensor_content(hex);
    EXPECT_EQ(CodeOf(message), absl::StatusCode::kInvalidArgument);
  }
  for (int dtype : {20, 21}) {
    proto::TensorProto framed = Proto(dtype, {1});
    framed.set_tensor_content("\x02\xff\xff");
    EXPECT_EQ(CodeOf(framed), absl::StatusCode::kInvalidArgument);
  }
}

TEST(CodecTest, ObjectsNestToABoundedDepth) {
  proto::TensorProto message = Proto(1, {});
  for (int i = 0; i < 40; ++i) {
    proto::TensorProto outer = Proto(21, {});
    auto* object = outer.add_variant_val();
    object->set_type_name("nest");
    *object->add_tensors() = message;
    message = outer;
  }
  EXPECT_EQ(CodeOf(message), absl::StatusCode::kInvalidArgument);
}

TEST(CodecTest, EveryKindOfAttributeRoundTrips) {
  auto inner = std::make_shared<AttrMap>(AttrMap{{"T", kFloat}, {"n", 3}});
  const AttrMap attrs = {{"s", "text"},
                         {"i", int64_t{-1}},
                         {"f", 0.5f},
                         {"b", true},
                         {"t", kHalf},
                         {"ref", MakeRef(kFloat)},
                         {"shape", PartialShape{-1, 2}},
                         {"norank", PartialShape()},
                         {"tensor", Tensor::Scalar<int32_t>(4)},
                         {"func", FunctionRef{"body", inner}},
                         {"plain", FunctionRef{"f", nullptr}},
                         {"ph", AttrPlaceholder{"T"}},
                         {"none", EmptyList{}},
                         {"unset", Attr()},
                         {"ls", std::vector<std::string>{"a", ""}},
                         {"li", std::vector<int64_t>{1, 2}},
                         {"lf", std::vector<float>{1}},
                         {"lb", std::vector<bool>{true, false}},
                         {"lt", std::vector<DType>{kFloat, kInt32}},
                         {"lsh", std::vector<PartialShape>{{1}, PartialShape()}},
                         {"lte", std::vector<Tensor>{Tensor::Scalar<std::string>("x")}},
                         {"lfn", std::vector<FunctionRef>{{"g", inner}}}};
  proto::NameAttrList message;
  ASSERT_TRUE(EncodeAttrs(attrs, message.mutable_attr()).ok());
  const AttrMap back = *DecodeAttrs(message.attr());
  ASSERT_EQ(back.size(), attrs.size());
  for (const auto& [name, value] : attrs) EXPECT_TRUE(back.at(name) == value) << name;
}

TEST(CodecTest, BadAttributesAreNamed) {
  proto::NameAttrList message;
  (*message.mutable_attr())["value"].mutable_tensor()->set_dtype(static_cast<proto::DataType>(999));
  const absl::Status status = DecodeAttrs(message.attr()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("\"value\""));

  proto::AttrValue type;
  type.set_type(static_cast<proto::DataType>(4711));
  EXPECT_FALSE(DecodeAttr(type).ok());
  proto::AttrValue mixed;
  mixed.mutable_list()->add_i(1);
  mixed.mutable_list()->add_s("x");
  EXPECT_FALSE(DecodeAttr(mixed).ok());
  proto::AttrValue shape;
  shape.mutable_shape()->set_unknown_rank(true);
  shape.mutable_shape()->add_dim();
  EXPECT_FALSE(DecodeAttr(shape).ok());
}

TEST(CodecTest, FunctionsNestToABoundedDepth) {
  proto::AttrValue attr;
  for (int i = 0; i < 45; ++i) {
    proto::AttrValue outer;
    outer.mutable_func()->set_name("f");
    (*outer.mutable_func()->mutable_attr())["body"] = attr;
    attr = outer;
  }
  EXPECT_EQ(DecodeAttr(attr).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CodecTest, DevicesRoundTrip) {
  const DeviceAttributes from{"/job:a/replica:0/task:0/device:CPU:0", "CPU", 123, 42, "host"};
  proto::DeviceAttributes message;
  EncodeDevice(from, &message);
  const DeviceAttributes back = DecodeDevice(message);
  EXPECT_EQ(back.name, from.name);
  EXPECT_EQ(back.type, "CPU");
  EXPECT_EQ(back.memory_limit, 123);
  EXPECT_EQ(back.incarnation, 42u);
}

}  // namespace
}  // namespace sluice
