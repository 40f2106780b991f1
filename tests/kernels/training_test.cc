// SPDX-License-Identifier: Apache-2.0
// The checks of training ops; nn_golden_test.cc checks the arithmetic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor Floats(std::initializer_list<float> values) {
  return Tensor::Vector<float>(std::vector<float>(values));
}

RefPtr<ResourceVariable> Variable(Tensor value) {
  auto variable = MakeRefCounted<ResourceVariable>(kFloat);
  variable->value = std::move(value);
  return variable;
}

Tensor HandleOf(const RefPtr<ResourceVariable>& variable) {
  ResourceHandle handle;
  handle.object = variable;
  return Tensor::Scalar(handle);
}

absl::Status Descend(const RefPtr<ResourceVariable>& variable, Tensor delta) {
  return RunOp("ResourceApplyGradientDescent", {},
               {HandleOf(variable), Tensor::Scalar(1.0f), std::move(delta)})
      .status();
}

TEST(TrainingTest, ReadersOfAResourceKeepTheirSnapshot) {
  const auto variable = Variable(Floats({1, 2}));
  const Tensor snapshot = variable->value;
  ASSERT_EQ(Descend(variable, Floats({1, 1})), absl::OkStatus());
  EXPECT_THAT(snapshot.flat<float>(), ElementsAre(1, 2));
  EXPECT_THAT(variable->value.flat<float>(), ElementsAre(0, 1));
}

TEST(TrainingTest, AnUnsharedResourceIsWrittenInPlace) {
  const auto variable = Variable(Floats({1, 2}));
  const void* before = variable->value.raw();
  ASSERT_EQ(Descend(variable, Floats({1, 1})), absl::OkStatus());
  EXPECT_EQ(variable->value.raw(), before);
}

TEST(TrainingTest, TheGradientMayBeTheVariable) {
  const auto variable = Variable(Floats({1, 2}));
  ASSERT_EQ(Descend(variable, variable->value), absl::OkStatus());
  EXPECT_THAT(variable->value.flat<float>(), ElementsAre(0, 0));
}

TEST(TrainingTest, OneVariableInTwoPlacesDoesNotDeadlock) {
  const auto variable = Variable(Floats({1}));
  const auto out = RunOp("ResourceApplyMomentum", {},
                         {HandleOf(variable), HandleOf(variable), Tensor::Scalar(1.0f), Floats({1}),
                          Tensor::Scalar(0.5f)});
  EXPECT_EQ(out.status(), absl::OkStatus());
}

TEST(TrainingTest, MissingVariablesAreErrorsProgramsKnow) {
  const auto unset = MakeRefCounted<ResourceVariable>(kFloat);
  absl::Status status = Descend(unset, Floats({1}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()), HasSubstr("Invalid variable reference."));

  ResourceHandle nowhere;
  nowhere.name = "v";
  nowhere.container = "localhost";
  status = RunOp("ResourceApplyGradientDescent", {},
                 {Tensor::Scalar(nowhere), Tensor::Scalar(1.0f), Floats({1})})
               .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);

  KernelRunner runner;
  const auto variable = MakeRefCounted<RefVariable>(kFloat, "v");
  status =
      runner
          .RunSlots("ApplyGradientDescent", {},
                    {RefSlot(variable), ValueSlot(Tensor::Scalar(1.0f)), ValueSlot(Floats({1}))})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("Attempting to use uninitialized value v"));
}

TEST(TrainingTest, ShapesAndScalarsAreChecked) {
  const auto variable = Variable(Floats({1, 2}));
  const auto code = [&](Tensor alpha, Tensor delta) {
    return RunOp("ResourceApplyGradientDescent", {},
                 {HandleOf(variable), std::move(alpha), std::move(delta)})
        .status()
        .code();
  };
  EXPECT_EQ(code(Tensor::Scalar(1.0f), Floats({1, 2, 3})), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Floats({1}), Floats({1, 2})), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Tensor(kFloat, Shape{0}), Floats({1, 2})), absl::StatusCode::kInvalidArgument);
  const auto status = RunOp("ResourceApplyMomentum", {},
                            {HandleOf(variable), HandleOf(Variable(Floats({1}))),
                             Tensor::Scalar(1.0f), Floats({1, 1}), Tensor::Scalar(0.5f)})
                          .status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("var and accum do not have the same shape[2] [1]"));
  EXPECT_THAT(variable->value.flat<float>(), ElementsAre(1, 2));
}

TEST(TrainingTest, LearningRatesOutOfTheirDomainAreRefused) {
  const auto run = [](float lr, float l1, float power) {
    return RunOp("ResourceApplyFtrl", {},
                 {HandleOf(Variable(Floats({1}))), HandleOf(Variable(Floats({1}))),
                  HandleOf(Variable(Floats({1}))), Floats({1}), Tensor::Scalar(lr),
                  Tensor::Scalar(l1), Tensor::Scalar(0.0f), Tensor::Scalar(power)})
        .status()
        .code();
  };
  EXPECT_EQ(run(0.1f, 0, -0.5f), absl::StatusCode::kOk);
  EXPECT_EQ(run(0, 0, -0.5f), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(run(0.1f, -1, -0.5f), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(run(0.1f, 0, 0.5f), absl::StatusCode::kInvalidArgument);
}

TEST(TrainingTest, LargeVariablesAreUpdatedWholly) {
  const int64_t n = 300007;
  Tensor ones(kFloat, Shape{n});
  std::fill_n(ones.mutable_data<float>(), n, 1.0f);
  const auto variable = Variable(Tensor(kFloat, Shape{n}));
  std::fill_n(variable->value.mutable_data<float>(), n, 3.0f);
  ASSERT_EQ(Descend(variable, ones), absl::OkStatus());
  EXPECT_THAT(variable->value.flat<float>(), ::testing::Each(2.0f));
}

absl::Status DescendRows(const RefPtr<ResourceVariable>& variable, const Shape& rows,
                         Tensor indices) {
  Tensor grad(kFloat, rows);
  std::fill_n(grad.mutable_data<float>(), rows.num_elements(), 1.0f);
  return RunOp("ResourceSparseApplyProximalGradientDescent", {},
               {HandleOf(variable), Tensor::Scalar(1.0f), Tensor::Scalar(0.0f),
                Tensor::Scalar(0.0f), grad, std::move(indices)})
      .status();
}

TEST(SparseTrainingTest, FtrlKeepsTheRootOfANegativeWhereDenseVariablesBecomeZero) {
  const auto run = [](const char* op, std::vector<Tensor> gradient) {
    const auto variable = Variable(Floats({1}));
    std::vector<Tensor> inputs = {HandleOf(variable), HandleOf(Variable(Floats({-4}))),
                                  HandleOf(Variable(Floats({0.5f})))};
    for (Tensor& tensor : gradient) inputs.push_back(std::move(tensor));
    for (float scalar : {0.5f, 0.1f, 0.1f, -0.5f}) inputs.push_back(Tensor::Scalar(scalar));
    EXPECT_EQ(RunOp(op, {}, std::move(inputs)).status(), absl::OkStatus());
    return variable->value.flat<float>()[0];
  };
  EXPECT_EQ(run("ResourceApplyFtrl", {Floats({1})}), 0);
  EXPECT_TRUE(
      std::isnan(run("ResourceSparseApplyFtrl", {Floats({1}), Tensor::Vector<int32_t>({0})})));
}

TEST(SparseTrainingTest, RepeatedRowsAddUpHoweverManyThereAre) {
  const int64_t rows = 50, width = 64, updates = 20000;
  const auto variable = Variable(Tensor(kFloat, Shape{rows, width}));
  std::fill_n(variable->value.mutable_data<float>(), rows * width, 0.0f);
  Tensor indices(kInt64, Shape{updates});
  for (int64_t i = 0; i < updates; ++i) indices.mutable_flat<int64_t>()[i] = i % rows;
  ASSERT_EQ(DescendRows(variable, Shape{updates, width}, indices), absl::OkStatus());
  EXPECT_THAT(variable->value.flat<float>(), ::testing::Each(-updates / rows * 1.0f));
}

TEST(SparseTrainingTest, BadIndicesAndShapesChangeNothing) {
  const auto variable = Variable(Tensor::Of<float>(Shape{2, 1}, {5, 6}));
  absl::Status status = DescendRows(variable, Shape{2, 1}, Tensor::Vector<int32_t>({0, 2}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Index 2 at offset 1 in indices is out of range"));
  for (const Shape& rows : {Shape{1, 1}, Shape{2, 2}, Shape{2}, Shape{}}) {
    EXPECT_EQ(DescendRows(variable, rows, Tensor::Vector<int32_t>({0, 1})).code(),
              absl::StatusCode::kInvalidArgument)
        << rows.ToString();
  }
  EXPECT_EQ(DescendRows(variable, Shape{1, 1}, Tensor::Scalar<int32_t>(0)).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(DescendRows(variable, Shape{1, 1}, Tensor::Vector<int32_t>({-1})).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(variable->value.flat<float>(), ElementsAre(5, 6));
  EXPECT_EQ(DescendRows(variable, Shape{0, 1}, Tensor(kInt32, Shape{0})), absl::OkStatus());
}

}  // namespace
}  // namespace sluice::kernels
