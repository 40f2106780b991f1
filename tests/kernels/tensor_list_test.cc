// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/list/tensor_list.h"

#include "core/codec/codec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kernels/any/dataset/optional.h"
#include "proto/tensor.pb.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

Tensor Floats(std::vector<float> values) { return Tensor::Vector<float>(values); }
Tensor Ints(std::vector<int32_t> values) { return Tensor::Vector<int32_t>(values); }
Tensor Int(int32_t value) { return Tensor::Scalar<int32_t>(value); }

// Tests that TensorFlow cannot do: in-place updates, the wire format, malformed input.
// tests/interop/ops/lists_test.py compares values and errors of the ops with TensorFlow's.
class TensorListTest : public testing::Test {
 protected:
  using Result = absl::StatusOr<std::vector<Tensor>>;

  Tensor First(const Result& out) {
    EXPECT_TRUE(out.ok()) << out.status();
    return out.ok() ? (*out)[0] : Tensor();
  }
  Tensor Empty(std::vector<int32_t> shape, DType dtype = kFloat) {
    return First(runner_.Run("EmptyTensorList", {{"element_dtype", dtype}},
                             {Ints(std::move(shape)), Int(-1)}));
  }
  Tensor Push(Tensor list, Tensor value) {
    std::vector<Tensor> inputs;  // a braced list would hold copies
    inputs.push_back(std::move(list));
    inputs.push_back(std::move(value));
    return First(runner_.Run("TensorListPushBack", {}, std::move(inputs)));
  }
  std::string Stack(const Tensor& list, std::vector<int32_t> shape) {
    const Result out =
        runner_.Run("TensorListStack", {{"element_dtype", kFloat}}, {list, Ints(std::move(shape))});
    return out.ok() ? (*out)[0].ToString(16) : std::string(out.status().message());
  }
  static absl::StatusOr<Tensor> OverTheWire(const Tensor& tensor) {
    proto::TensorProto message;
    SLUICE_RETURN_IF_ERROR(EncodeTensor(tensor, &message));
    return DecodeTensor(message);
  }
  static Tensor Opaque(std::string type, std::string metadata, std::vector<Tensor> tensors) {
    return Tensor::Scalar<Variant>(Variant(
        MakeRefCounted<OpaqueVariant>(std::move(type), std::move(metadata), std::move(tensors))));
  }
  std::string LengthOf(const Tensor& list) {
    const Result out = runner_.Run("TensorListLength", {}, {list});
    return out.ok() ? (*out)[0].ToString() : std::string(out.status().message());
  }

  KernelRunner runner_;
};

TEST_F(TensorListTest, TheSoleOwnerChangesItInPlace) {
  Tensor list = Push(Empty({2}), Floats({1, 2}));
  const Variant::Object* object = list.scalar<Variant>().get();
  list = Push(std::move(list), Floats({3, 4}));
  EXPECT_EQ(list.scalar<Variant>().get(), object);
  const Tensor longer = Push(list, Floats({5, 6}));
  EXPECT_NE(longer.scalar<Variant>().get(), object);
  EXPECT_EQ(Stack(list, {2}), "float [2,2] {1, 2, 3, 4}");
  EXPECT_EQ(Stack(longer, {2}), "float [3,2] {1, 2, 3, 4, 5, 6}");
}

TEST_F(TensorListTest, AnotherHolderOfTheObjectCountsToo) {
  Tensor list = Push(Empty({1}), Floats({1}));
  const Variant kept = list.scalar<Variant>();
  list = Push(std::move(list), Floats({2}));
  EXPECT_EQ(LengthOf(Tensor::Scalar<Variant>(kept)), "int32 [] {1}");
  EXPECT_EQ(LengthOf(list), "int32 [] {2}");
}

TEST_F(TensorListTest, KeepsACopyOfAVariable) {
  auto variable = MakeRefCounted<RefVariable>(kFloat, "v");
  Tensor value = Floats({1, 2});
  value.buffer()->set_guard(variable->guard);
  const Tensor list = Push(Empty({2}), value);
  value.mutable_data<float>()[0] = 9;
  EXPECT_EQ(Stack(list, {2}), "float [1,2] {1, 2}");
}

TEST_F(TensorListTest, CrossesTheWireWithWhatIsNotSet) {
  Tensor list =
      First(runner_.Run("TensorListReserve", {{"element_dtype", kFloat}}, {Ints({-1}), Int(4)}));
  list = First(runner_.Run("TensorListSetItem", {}, {std::move(list), Int(1), Floats({1, 2})}));
  list = First(runner_.Run("TensorListSetItem", {}, {std::move(list), Int(2), Floats({3, 4})}));
  const auto moved = OverTheWire(list);
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(Stack(*moved, {-1}), "float [4,2] {0, 0, 1, 2, 3, 4, 0, 0}");
  // A list that another task changes is a separate list.
  EXPECT_EQ(Stack(Push(*moved, Floats({5, 6})), {2}), "float [5,2] {0, 0, 1, 2, 3, 4, 0, 0, 5, 6}");
  EXPECT_EQ(LengthOf(*moved), "int32 [] {4}");
}

TEST_F(TensorListTest, WritesTensorFlowsMetadata) {
  TensorList list(kFloat, PartialShape{-1, 3});
  ASSERT_TRUE(list.Resize(130).ok());
  for (int i = 0; i < 129; ++i) {
    if (i == 5) continue;
    ASSERT_TRUE(list.Set(i, Floats({1})).ok());
  }
  std::string metadata;
  std::vector<Tensor> tensors;
  ASSERT_TRUE(list.Encode(&metadata, &tensors).ok());
  EXPECT_EQ(tensors.size(), 128u);
  // Two unset: 5 and 129; float; no limit (2^64 - 1); dims of sizes -1 and 3.
  EXPECT_EQ(absl::string_view(metadata).substr(0, 15),
            absl::string_view("\x02\x05\x81\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 15));
}

TEST_F(TensorListTest, MalformedListsAreRefused) {
  const std::string type(TensorList::kTypeName);
  const std::string good("\x01\x00\x01\x05\x12\x02\x08\x01", 8);  // one unset; float; limit 5; [1]
  EXPECT_EQ(LengthOf(Opaque(type, good, {Floats({1})})), "int32 [] {2}");
  EXPECT_THAT(LengthOf(Opaque(type, good, {Floats({1, 2})})), HasSubstr("another dtype or shape"));
  EXPECT_THAT(LengthOf(Opaque(type, good, {Ints({1})})), HasSubstr("another dtype or shape"));
  EXPECT_THAT(LengthOf(Opaque("another", good, {})), HasSubstr("not a list. Saw: 'another'"));
  const std::vector<std::string> bad = {std::string("\x03\x00\x01", 3),
                                        std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10),
                                        std::string("\x01\x07\x01\x05", 4),
                                        std::string("\x02\x01\x00\x01\x05", 5),
                                        std::string("\x00\x7e\x05", 3),
                                        std::string("\x00\x01\x05\xff", 4)};
  for (const std::string& metadata : bad) {
    EXPECT_THAT(LengthOf(Opaque(type, metadata, {})), testing::Not(HasSubstr("int32")));
  }
  for (size_t cut = 0; cut < good.size(); ++cut) LengthOf(Opaque(type, good.substr(0, cut), {}));
}

TEST_F(TensorListTest, NestToABoundedDepth) {
  Tensor list = Empty({}, kFloat);
  std::string error;
  int depth = 1;
  for (; depth < 1000; ++depth) {
    const Result outer = runner_.Run("TensorListPushBack", {}, {Empty({}, kVariant), list});
    if (!outer.ok()) {
      error = std::string(outer.status().message());
      break;
    }
    list = (*outer)[0];
  }
  EXPECT_EQ(depth, Variant::kMaxDepth);
  EXPECT_THAT(error, HasSubstr("nested deeper than"));
  EXPECT_TRUE(OverTheWire(list).ok());
}

TEST_F(TensorListTest, TextsThatClientsMatch) {
  const auto error = [&](const std::string& op, std::vector<Tensor> inputs, bool typed) {
    const AttrMap attrs = typed ? AttrMap{{"element_dtype", kFloat}} : AttrMap();
    const Result out = runner_.Run(op, attrs, std::move(inputs));
    return std::string(out.status().message());
  };
  const Tensor list = Push(Push(Empty({2}), Floats({1, 2})), Floats({3, 4}));
  for (int index : {-1, 2}) {
    EXPECT_THAT(error("TensorListGather", {list, Ints({index}), Ints({2})}, true),
                HasSubstr(absl::StrCat("Trying to gather element ", index, " in a list with 2")));
  }
  EXPECT_EQ(error("TensorListResize", {list, Ints({1})}, false), "size must be a scalar");
  EXPECT_EQ(error("TensorListScatterV2", {Floats({1}), Ints({0}), Ints({}), Ints({1})}, true),
            "num_elements must be a scalar");
  const Tensor unset =
      First(runner_.Run("TensorListReserve", {{"element_dtype", kFloat}}, {Int(-1), Int(2)}));
  EXPECT_THAT(error("TensorListConcatV2", {unset, Int(-1), Tensor::Vector<int64_t>({})}, true),
              HasSubstr("element_shape_except_first_dim is not fully defined"));
}

TEST_F(TensorListTest, HugeSizesAreRefused) {
  for (int32_t size : {INT32_MAX, -1}) {
    const Result out =
        runner_.Run("TensorListReserve", {{"element_dtype", kFloat}}, {Ints({1}), Int(size)});
    EXPECT_EQ(out.status().code(),
              size < 0 ? absl::StatusCode::kInvalidArgument : absl::StatusCode::kResourceExhausted);
    EXPECT_FALSE(runner_.Run("TensorListResize", {}, {Empty({1}), Int(size)}).ok());
    EXPECT_FALSE(runner_
                     .Run("TensorListGetItem", {{"element_dtype", kFloat}},
                          {Empty({1}), Int(size), Ints({1})})
                     .ok());
    EXPECT_FALSE(runner_.Run("TensorListScatter", {}, {Floats({1}), Ints({size}), Ints({})}).ok());
  }
  // 2^62 zeros of an unset element.
  const Tensor list = First(runner_.Run("TensorListReserve", {{"element_dtype", kFloat}},
                                        {Ints({1 << 30, 1 << 30, 4}), Int(4)}));
  EXPECT_THAT(Stack(list, {1 << 30, 1 << 30, 4}), testing::Not(HasSubstr("float")));
}

TEST_F(TensorListTest, OptionalsCrossTheWire) {
  const Tensor full = First(runner_.Run("OptionalFromValue", {}, {Floats({1, 2}), Int(3)}));
  const auto moved = OverTheWire(full);
  ASSERT_TRUE(moved.ok()) << moved.status();
  const AttrMap attrs = {
      {"output_types", std::vector<DType>{kFloat, kInt32}},
      {"output_shapes", std::vector<PartialShape>{PartialShape{2}, PartialShape(Shape{})}}};
  const Result out = runner_.Run("OptionalGetValue", attrs, {*moved});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].ToString(), "float [2] {1, 2}");
  EXPECT_EQ((*out)[1].ToString(), "int32 [] {3}");
  const Tensor none = Opaque(std::string(Optional::kTypeName), std::string(1, '\0'), {});
  EXPECT_EQ(First(runner_.Run("OptionalHasValue", {}, {none})).ToString(), "bool [] {false}");
  EXPECT_FALSE(
      runner_.Run("OptionalHasValue", {}, {Opaque(std::string(Optional::kTypeName), "xy", {})})
          .ok());
}

TEST_F(TensorListTest, SumsLeaveTheirOperandsAlone) {
  const Tensor list = Push(Empty({2}), Floats({1, 2}));
  const Tensor sum = First(runner_.Run("AddN", {}, {list, list}));
  EXPECT_EQ(Stack(sum, {2}), "float [1,2] {2, 4}");
  EXPECT_EQ(Stack(list, {2}), "float [1,2] {1, 2}");
  EXPECT_EQ(Stack(First(runner_.Run("ZerosLike", {}, {list})), {2}), "float [1,2] {0, 0}");
  const Tensor none = First(runner_.Run("OptionalNone", {}, {}));
  EXPECT_FALSE(runner_.Run("AddN", {}, {list, none}).ok());
}

}  // namespace
}  // namespace sluice::kernels
