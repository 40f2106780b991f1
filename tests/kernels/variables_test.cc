// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/kernels/kernel_runner.h"

// The updates run on both kinds of variables, through the same cases.

namespace sluice::kernels {
namespace {

Tensor Floats(const Shape& shape, std::vector<float> values) {
  return Tensor::Of<float>(shape, values);
}
Tensor Floats(std::vector<float> values) { return Tensor::Vector<float>(values); }
Tensor Ints(std::vector<int32_t> values) { return Tensor::Vector<int32_t>(values); }

template <typename Result>
std::string ErrorOf(const Result& result) {
  return result.ok() ? "OK" : std::string(result.status().message());
}

// A variable of one kind with its initial value.
class Kind : public testing::TestWithParam<bool> {
 protected:
  bool resource() const { return GetParam(); }
  static std::string TypeAttr(absl::string_view op, bool resource) {
    return resource && !absl::StrContains(op, "Nd") && op != "CountUpTo" ? "dtype" : "T";
  }
  // The variable's output slot, as its node gives it.
  Slot Variable(DType dtype, PartialShape shape = PartialShape()) {
    const std::string name = made_ == 0 ? "v" : absl::StrCat("v", made_);
    ++made_;
    AttrMap attrs = {{"dtype", dtype}, {"shape", shape}, {"shared_name", name}};
    const auto out = runner_.RunSlots(resource() ? "VarHandleOp" : "VariableV2", attrs, {});
    EXPECT_TRUE(out.ok()) << out.status();
    return (*out)[0];
  }
  absl::Status Assign(const Slot& variable, Tensor value) {
    return runner_
        .RunSlots(resource() ? "AssignVariableOp" : "Assign", {},
                  {variable, ValueSlot(std::move(value))})
        .status();
  }
  Slot Holding(Tensor value) {
    Slot variable = Variable(value.dtype());
    EXPECT_EQ(Assign(variable, std::move(value)), absl::OkStatus());
    return variable;
  }
  Tensor Read(const Slot& variable, DType dtype) {
    const auto out = resource() ? runner_.RunSlots("ReadVariableOp", {{"dtype", dtype}}, {variable})
                                : runner_.RunSlots("Identity", {{"T", dtype}}, {variable});
    EXPECT_TRUE(out.ok()) << out.status();
    return out.ok() ? (*out)[0].value : Tensor();
  }
  // "ScatterAdd" becomes "ResourceScatterAdd", "AssignAdd" "AssignAddVariableOp".
  std::string Op(const std::string& op) const {
    if (!resource()) return op;
    return op.starts_with("Assign") ? op + "VariableOp" : "Resource" + op;
  }
  absl::Status Update(const std::string& op, const Slot& variable, std::vector<Tensor> inputs) {
    std::vector<Slot> slots = {variable};
    AttrMap attrs;
    attrs[TypeAttr(op, resource())] = inputs.back().dtype();
    for (Tensor& input : inputs) slots.push_back(ValueSlot(std::move(input)));
    return runner_.RunSlots(Op(op), attrs, std::move(slots)).status();
  }
  // The value of a fresh variable after an update, or the error.
  std::string After(const std::string& op, Tensor value, std::vector<Tensor> inputs) {
    const DType dtype = value.dtype();
    const Slot variable = Holding(std::move(value));
    const absl::Status status = Update(op, variable, std::move(inputs));
    return status.ok() ? Read(variable, dtype).ToString(16) : std::string(status.message());
  }

  KernelRunner runner_;
  int made_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Variables, Kind, testing::Bool(),
                         [](const auto& info) { return info.param ? "Resource" : "Reference"; });

Tensor Matrix() { return Floats({3, 2}, {1, 2, 3, 4, 5, 6}); }

TEST_P(Kind, AssignAddAndSub) {
  EXPECT_EQ(After("AssignAdd", Floats({1, 2}), {Floats({10, 20})}), "float [2] {11, 22}");
  EXPECT_EQ(After("AssignSub", Ints({1, 2}), {Ints({10, 20})}), "int32 [2] {-9, -18}");
  EXPECT_EQ(After("AssignAdd", Ints({2147483647}), {Ints({1})}), "int32 [1] {-2147483648}");
  EXPECT_EQ(After("AssignAdd", Tensor::Vector<Half>({Half(1), Half(2)}),
                  {Tensor::Vector<Half>({Half(.5), Half(.5)})}),
            "half [2] {1.5, 2.5}");
  EXPECT_EQ(After("AssignAdd", Floats({1, 2}), {Floats({1})}),
            resource() ? "Cannot update variable with shape [2] using a Tensor with shape [1], "
                         "shapes must be equal."
                       : "Parameters and update must be the same size");
}

TEST_P(Kind, ScatterRows) {
  const Tensor rows = Ints({2, 0, 2}), updates = Floats({3, 2}, {1, 1, 2, 2, 3, 3});
  EXPECT_EQ(After("ScatterUpdate", Matrix(), {rows, updates}), "float [3,2] {2, 2, 3, 4, 3, 3}");
  EXPECT_EQ(After("ScatterAdd", Matrix(), {rows, updates}), "float [3,2] {3, 4, 3, 4, 9, 10}");
  EXPECT_EQ(After("ScatterSub", Matrix(), {rows, updates}), "float [3,2] {-1, 0, 3, 4, 1, 2}");
  EXPECT_EQ(After("ScatterMul", Matrix(), {rows, updates}), "float [3,2] {2, 4, 3, 4, 15, 18}");
  EXPECT_EQ(After("ScatterDiv", Matrix(), {Ints({1}), Floats({1, 2}, {2, 4})}),
            "float [3,2] {1, 2, 1.5, 1, 5, 6}");
  EXPECT_EQ(After("ScatterMin", Matrix(), {rows, updates}), "float [3,2] {1, 2, 3, 4, 1, 1}");
  EXPECT_EQ(After("ScatterMax", Matrix(), {rows, updates}), "float [3,2] {2, 2, 3, 4, 5, 6}");
  EXPECT_EQ(After("ScatterAdd", Matrix(), {Tensor::Scalar<int64_t>(1), Floats({7, 7})}),
            "float [3,2] {1, 2, 10, 11, 5, 6}");
  EXPECT_EQ(After("ScatterAdd", Matrix(), {Ints({0, 1}), Tensor::Scalar<float>(1)}),
            "float [3,2] {2, 3, 4, 5, 5, 6}");
  EXPECT_EQ(After("ScatterAdd", Matrix(), {Ints({}), Tensor(kFloat, {0, 2})}),
            "float [3,2] {1, 2, 3, 4, 5, 6}");
}

TEST_P(Kind, ScatterRefusesBadIndicesAndShapes) {
  EXPECT_EQ(After("ScatterAdd", Matrix(), {Ints({0, 5}), Floats({2, 2}, {1, 1, 1, 1})}),
            "indices[1] = 5 is not in [0, 3)");
  const Tensor negative = Tensor::Of<int32_t>({1, 2}, {0, -1});
  EXPECT_EQ(After("ScatterAdd", Matrix(), {negative, Floats({1, 2, 2}, {1, 1, 1, 1})}),
            "indices[0,1] = -1 is not in [0, 3)");
  EXPECT_EQ(After("ScatterAdd", Matrix(), {Ints({0, 1}), Floats({1, 2}, {1, 1})}),
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
            "updates.shape [1,2], "
            "indices.shape [2], params.shape [3,2]");
  EXPECT_EQ(After("ScatterAdd", Tensor::Scalar<int32_t>(1), {Ints({0}), Ints({1})}),
            "params must be at least 1-D, got shape []");
  EXPECT_EQ(After("ScatterDiv", Ints({1, 2}), {Ints({0}), Ints({0})}), "Integer division by zero");
  EXPECT_EQ(After("ScatterDiv", Ints({1, 2}), {Ints({}), Tensor::Scalar<int32_t>(0)}),
            "int32 [2] {1, 2}");
  EXPECT_EQ(After("ScatterDiv", Ints({INT32_MIN}), {Ints({0}), Ints({-1})}),
            "int32 [1] {-2147483648}");
}

TEST_P(Kind, ScatterNd) {
  const Tensor points = Tensor::Of<int32_t>({2, 2}, {0, 1, 2, 0});
  EXPECT_EQ(After("ScatterNdAdd", Matrix(), {points, Floats({10, 20})}),
            "float [3,2] {1, 12, 3, 4, 25, 6}");
  const Tensor rows = Tensor::Of<int32_t>({2, 1}, {0, 0});
  EXPECT_EQ(After("ScatterNdSub", Matrix(), {rows, Floats({2, 2}, {1, 1, 1, 1})}),
            "float [3,2] {-1, 0, 3, 4, 5, 6}");
  EXPECT_EQ(After("ScatterNdUpdate", Matrix(), {rows, Floats({2, 2}, {1, 1, 2, 2})}),
            "float [3,2] {2, 2, 3, 4, 5, 6}");
  const Tensor far = Tensor::Of<int32_t>({2, 1}, {0, 7});
  EXPECT_EQ(After("ScatterNdUpdate", Matrix(), {far, Floats({2, 2}, {1, 1, 2, 2})}),
            "indices[1] = [7] does not index into shape [3,2]");
  EXPECT_EQ(After("ScatterNdUpdate", Matrix(),
                  {Tensor::Of<int32_t>({2, 2}, {0, 0, 2, 2}), Floats({1, 1})}),
            "indices[1] = [2, 2] does not index into shape [3,2]");
  EXPECT_EQ(After("ScatterNdUpdate", Matrix(), {rows, Floats({2, 3}, {1, 1, 1, 1, 1, 1})}),
            "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got "
            "updates.shape: [2,3], indices.shape: [2,1], params_shape: [3,2], slice_dim: 1, and "
            "batch_dim: 1. Dimensions [1,2) of input[shape=[3,2]] must match dimensions [1,2) of "
            "updates[shape=[2,3]]");
  EXPECT_EQ(After("ScatterNdUpdate", Matrix(), {rows, Floats({1, 2}, {1, 1})}),
            "The outermost dimension of updates and indices must match. Got indices.shape [2,1], "
            "updates.shape [1,2]. Dimensions [0,1) of indices[shape=[2,1]] must match dimensions "
            "[0,1) of "
            "updates[shape=[1,2]]");
}

TEST_P(Kind, ScatterNdLeavesOutBadIndicesIfAskedTo) {
  const Slot rows = ValueSlot(Tensor::Of<int32_t>({3, 1}, {-1, 0, 7}));
  const Slot updates = ValueSlot(Floats({3, 2}, {1, 1, 2, 2, 3, 3}));
  for (auto [op, value] : {std::pair{"ScatterNdAdd", "float [3,2] {3, 4, 3, 4, 5, 6}"},
                           std::pair{"ScatterNdUpdate", "float [3,2] {2, 2, 3, 4, 5, 6}"}}) {
    const Slot variable = Holding(Matrix());
    AttrMap attrs = {{TypeAttr(op, resource()), kFloat}, {"bad_indices_policy", "IGNORE"}};
    EXPECT_TRUE(runner_.RunSlots(Op(op), attrs, {variable, rows, updates}).ok());
    EXPECT_EQ(Read(variable, kFloat).ToString(16), value);
    attrs["bad_indices_policy"] = std::string("WHATEVER");
    EXPECT_EQ(runner_.RunSlots(Op(op), attrs, {variable, rows, updates}).status().message(),
              "Unknown bad indices handling attribute: WHATEVER");
  }
}

TEST_P(Kind, StringsAreReplacedNotWrittenUnderAReader) {
  const Slot variable = Holding(Tensor::Vector<std::string>({"a", "b"}));
  const Tensor before = Read(variable, kString);
  ASSERT_EQ(Update("ScatterUpdate", variable, {Ints({1}), Tensor::Vector<std::string>({"c"})}),
            absl::OkStatus());
  EXPECT_EQ(before.ToString(), "string [2] {\"a\", \"b\"}");
  EXPECT_EQ(Read(variable, kString).ToString(), "string [2] {\"a\", \"c\"}");
}

TEST_P(Kind, TheAssignedTensorStaysAsItWas) {
  const Tensor mine = Floats({1, 2});
  const Slot variable = Holding(mine);
  ASSERT_EQ(Update("AssignAdd", variable, {Floats({1, 1})}), absl::OkStatus());
  EXPECT_EQ(mine.ToString(), "float [2] {1, 2}");
  EXPECT_EQ(Read(variable, kFloat).ToString(), "float [2] {2, 3}");
}

TEST_P(Kind, CountUpTo) {
  const Slot variable = Holding(Tensor::Scalar<int32_t>(6));
  const AttrMap attrs = {{"T", kInt32}, {"limit", 8}};
  for (const int32_t expected : {6, 7}) {
    const auto out = runner_.RunSlots(Op("CountUpTo"), attrs, {variable});
    ASSERT_TRUE(out.ok()) << out.status();
    EXPECT_EQ((*out)[0].value.scalar<int32_t>(), expected);
  }
  const auto end = runner_.RunSlots(Op("CountUpTo"), attrs, {variable});
  EXPECT_EQ(end.status(), OutOfRange("Reached limit of 8"));
}

TEST_P(Kind, UpdatingAnUnassignedVariable) {
  const Slot variable = Variable(kFloat);
  const absl::Status status = Update("AssignAdd", variable, {Floats({1})});
  if (resource()) {
    EXPECT_EQ(status, NotFound("Resource localhost/v/N10tensorflow3VarE does not exist."));
  } else {
    EXPECT_EQ(status, FailedPrecondition("Attempting to use uninitialized value node"));
  }
}

TEST_P(Kind, AResetRemovesTheValue) {
  AttrMap attrs = {{"dtype", kFloat}, {"shape", PartialShape()}, {"shared_name", "v"}};
  const auto node = runner_.Make(resource() ? "VarHandleOp" : "VariableV2", attrs, {});
  ASSERT_TRUE(node.ok()) << node.status();
  const Slot variable = (*runner_.RunSlots(*node, {}))[0];
  ASSERT_EQ(Assign(variable, Floats({1})), absl::OkStatus());
  runner_.device().resources().Clear(ResourceStore::kDefaultContainer);
  const Slot again = (*runner_.RunSlots(*node, {}))[0];
  EXPECT_FALSE(Update("AssignAdd", again, {Floats({1})}).ok());
  ASSERT_EQ(Assign(again, Floats({5})), absl::OkStatus());
  EXPECT_EQ(Read(again, kFloat).ToString(), "float [1] {5}");
}

// --- references ---

class RefTest : public testing::Test {
 protected:
  absl::StatusOr<Slot> Variable(DType dtype, PartialShape shape) {
    SLUICE_ASSIGN(auto out,
                  runner_.RunSlots("VariableV2", {{"dtype", dtype}, {"shape", shape}}, {}));
    return out[0];
  }
  absl::Status Assign(const Slot& variable, Tensor value, bool validate_shape = true) {
    return runner_
        .RunSlots("Assign", {{"validate_shape", validate_shape}},
                  {variable, ValueSlot(std::move(value))})
        .status();
  }
  KernelRunner runner_;
};

TEST_F(RefTest, AssignChecksShapes) {
  const Slot variable = *Variable(kFloat, {3});
  EXPECT_EQ(Assign(variable, Floats({1, 2})).message(),
            "Assign requires shapes of both tensors to match. lhs shape= [3] rhs shape= [2]");
  ASSERT_EQ(Assign(variable, Floats({1, 2, 3})), absl::OkStatus());
  EXPECT_EQ(Assign(variable, Floats({1, 2})).message(),
            "Assign requires shapes of both tensors to match. lhs shape= [3] rhs shape= [2]");
  EXPECT_EQ(Assign(variable, Floats({1, 2}), false), absl::OkStatus());
}

TEST_F(RefTest, AnotherDTypeUnderTheSameNameIsRefused) {
  ASSERT_TRUE(Variable(kFloat, {}).ok());
  EXPECT_EQ(Variable(kInt32, {}).status(),
            Internal("Output 0 of type float_ref does not match declared output type int32_ref"));
}

TEST_F(RefTest, WritesInPlaceWhereAliasesSeeIt) {
  const Slot variable = *Variable(kFloat, {1});
  ASSERT_EQ(Assign(variable, Floats({1})), absl::OkStatus());
  const Tensor alias = (*runner_.RunSlots("Identity", {{"T", kFloat}}, {variable}))[0].value;
  EXPECT_TRUE(alias.buffer()->guard());
  const Tensor snapshot = *alias.Snapshot();
  ASSERT_EQ(Assign(variable, Floats({2})), absl::OkStatus());
  EXPECT_EQ(alias.scalar<float>(), 2);
  EXPECT_EQ(snapshot.scalar<float>(), 1);
}

TEST_F(RefTest, IsVariableInitialized) {
  const Slot variable = *Variable(kFloat, {1});
  auto initialized = [&] {
    return (*runner_.RunSlots("IsVariableInitialized", {{"dtype", kFloat}}, {variable}))[0]
        .value.scalar<bool>();
  };
  EXPECT_FALSE(initialized());
  ASSERT_EQ(Assign(variable, Floats({1})), absl::OkStatus());
  EXPECT_TRUE(initialized());
}

TEST_F(RefTest, TemporaryVariablesLiveUntilDestroyed) {
  const AttrMap attrs = {{"dtype", kFloat}, {"shape", PartialShape{2}}, {"var_name", "t"}};
  const Slot variable = (*runner_.RunSlots("TemporaryVariable", attrs, {}))[0];
  EXPECT_EQ(runner_.RunSlots("TemporaryVariable", attrs, {}).status().code(),
            absl::StatusCode::kAlreadyExists);
  ASSERT_TRUE(runner_.RunSlots("AssignAdd", {}, {variable, ValueSlot(Floats({1, 2}))}).ok());
  const auto out = runner_.RunSlots("DestroyTemporaryVariable", {{"var_name", "t"}}, {variable});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ((*out)[0].value.ToString(), "float [2] {1, 2}");
  EXPECT_EQ(
      runner_.RunSlots("DestroyTemporaryVariable", {{"var_name", "t"}}, {variable}).status().code(),
      absl::StatusCode::kNotFound);
}

// --- resources ---

class ResourceTest : public testing::Test {
 protected:
  Tensor Handle(DType dtype = kFloat) {
    const AttrMap attrs = {{"dtype", dtype}, {"shape", PartialShape()}, {"shared_name", "v"}};
    return (*runner_.Run("VarHandleOp", attrs, {}))[0];
  }
  absl::Status Assign(const Tensor& handle, Tensor value) {
    return runner_.Run("AssignVariableOp", {}, {handle, std::move(value)}).status();
  }
  KernelRunner runner_;
};

TEST_F(ResourceTest, ReadingAnUnassignedVariable) {
  EXPECT_EQ(
      runner_.Run("ReadVariableOp", {{"dtype", kFloat}}, {Handle()}).status(),
      FailedPrecondition(
          "Error while reading resource variable v from Container: localhost. This could mean that "
          "the variable was uninitialized. Not found: Resource localhost/v/N10tensorflow3VarE does "
          "not exist. (Could not find variable v.)"));
  EXPECT_FALSE((*runner_.Run("VarIsInitializedOp", {}, {Handle()}))[0].scalar<bool>());
  EXPECT_EQ(runner_.Run("VariableShape", {}, {Handle()}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ResourceTest, DTypesAreChecked) {
  const Tensor handle = Handle();
  ASSERT_EQ(Assign(handle, Floats({1})), absl::OkStatus());
  EXPECT_EQ(Assign(handle, Ints({1})).message(),
            "Trying to assign variable with wrong dtype. Expected float got int32");
  EXPECT_EQ(ErrorOf(runner_.Run("ReadVariableOp", {{"dtype", kInt32}}, {handle})),
            "Trying to read variable with wrong dtype. Expected int32 got float");
}

TEST_F(ResourceTest, AnotherGraphMayTakeANameThatWasNeverAssigned) {
  Handle(kInt32);
  EXPECT_EQ(Assign(Handle(kFloat), Floats({1})), absl::OkStatus());
}

TEST_F(ResourceTest, ReadersKeepWhatTheyRead) {
  const Tensor handle = Handle();
  ASSERT_EQ(Assign(handle, Floats({1})), absl::OkStatus());
  const Tensor read = (*runner_.Run("ReadVariableOp", {{"dtype", kFloat}}, {handle}))[0];
  ASSERT_TRUE(runner_.Run("AssignAddVariableOp", {}, {handle, Floats({1})}).ok());
  EXPECT_EQ(read.scalar<float>(), 1);
}

TEST_F(ResourceTest, UnsharedVariablesAreWrittenInPlace) {
  const Tensor handle = Handle();
  ASSERT_EQ(Assign(handle, Floats({1})), absl::OkStatus());
  auto address = [&] {
    return (*runner_.Run("ReadVariableOp", {{"dtype", kFloat}}, {handle}))[0].raw();
  };
  const void* before = address();
  ASSERT_TRUE(runner_.Run("AssignAddVariableOp", {}, {handle, Floats({1})}).ok());
  EXPECT_EQ(address(), before);
}

TEST_F(ResourceTest, Gather) {
  const Tensor handle = Handle();
  ASSERT_EQ(Assign(handle, Matrix()), absl::OkStatus());
  const AttrMap attrs = {{"dtype", kFloat}};
  EXPECT_EQ((*runner_.Run("ResourceGather", attrs, {handle, Ints({2, 0})}))[0].ToString(),
            "float [2,2] {5, 6, 1, 2}");
  EXPECT_EQ(
      (*runner_.Run("ResourceGather", attrs, {handle, Tensor::Scalar<int64_t>(1)}))[0].ToString(),
      "float [2] {3, 4}");
  EXPECT_EQ(ErrorOf(runner_.Run("ResourceGather", attrs, {handle, Ints({0, 3})})),
            "indices[1] = 3 is not in [0, 3)");
  const Tensor columns = Tensor::Of<int32_t>({3, 1}, {1, 0, 1});
  EXPECT_EQ(
      (*runner_.Run("ResourceGather", {{"dtype", kFloat}, {"batch_dims", 1}}, {handle, columns}))[0]
          .ToString(),
      "float [3,1] {2, 3, 6}");
  EXPECT_FALSE(
      runner_.Run("ResourceGather", {{"dtype", kFloat}, {"batch_dims", 5}}, {handle, columns})
          .ok());

  const Tensor points = Tensor::Of<int32_t>({2, 2}, {0, 1, 2, 0});
  EXPECT_EQ((*runner_.Run("ResourceGatherNd", attrs, {handle, points}))[0].ToString(),
            "float [2] {2, 5}");
  EXPECT_EQ(ErrorOf(runner_.Run("ResourceGatherNd", attrs,
                                {handle, Tensor::Of<int32_t>({1, 3}, {0, 0, 0})})),
            "index innermost dimension length must be <= params rank; saw: 3 vs. 2");
  EXPECT_EQ(ErrorOf(runner_.Run("ResourceGatherNd", attrs,
                                {handle, Tensor::Of<int32_t>({2, 1}, {0, 3})})),
            "indices[1] = [3] does not index into param shape [3,2]");
}

TEST_F(ResourceTest, ShapesAndDestruction) {
  const Tensor handle = Handle();
  EXPECT_EQ(
      runner_.Run("DestroyResourceOp", {{"ignore_lookup_error", false}}, {handle}).status().code(),
      absl::StatusCode::kNotFound);  // it has no value
  ASSERT_EQ(Assign(handle, Matrix()), absl::OkStatus());
  EXPECT_EQ((*runner_.Run("VariableShape", {{"out_type", kInt64}}, {handle}))[0].ToString(),
            "int64 [2] {3, 2}");
  EXPECT_TRUE(runner_.Run("DestroyResourceOp", {}, {handle}).ok());
  EXPECT_FALSE((*runner_.Run("VarIsInitializedOp", {}, {handle}))[0].scalar<bool>());
  EXPECT_TRUE(runner_.Run("DestroyResourceOp", {}, {handle}).ok());
  EXPECT_EQ(
      runner_.Run("DestroyResourceOp", {{"ignore_lookup_error", false}}, {handle}).status().code(),
      absl::StatusCode::kNotFound);
  ASSERT_EQ(Assign(handle, Floats({1})), absl::OkStatus());  // the name lives on
  EXPECT_TRUE((*runner_.Run("VarIsInitializedOp", {}, {handle}))[0].scalar<bool>());
}

TEST_F(ResourceTest, AHandleFromAWireIsFoundByName) {
  ASSERT_EQ(Assign(Handle(), Floats({1})), absl::OkStatus());
  ResourceHandle bare = Handle().scalar<ResourceHandle>();
  bare.object.reset();
  const Tensor handle = Tensor::Scalar<ResourceHandle>(bare);
  EXPECT_EQ((*runner_.Run("ReadVariableOp", {{"dtype", kFloat}}, {handle}))[0].scalar<float>(), 1);
  EXPECT_FALSE(runner_.Run("ReadVariableOp", {{"dtype", kFloat}}, {Tensor(kResource, {0})}).ok());
}

}  // namespace
}  // namespace sluice::kernels
