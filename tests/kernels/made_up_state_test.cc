// SPDX-License-Identifier: Apache-2.0
// States of iterators that a client has made up: none leads a stage beyond its tensors.
#include <gtest/gtest.h>

#include "kernels/common/dataset/data_set.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kHuge = int64_t{1} << 30;

AttrMap Gives(const std::vector<DType>& types) {
  return {{"output_types", types},
          {"output_shapes", std::vector<PartialShape>(types.size(), PartialShape())}};
}

Tensor MustRun(absl::string_view op, const AttrMap& attrs, const std::vector<Tensor>& inputs) {
  auto made = RunOp(op, attrs, inputs);
  EXPECT_TRUE(made.ok()) << op << ": " << made.status();
  return made.ok() ? (*made)[0] : Tensor();
}

Tensor Numbers() {
  const auto number = [](int64_t value) { return Tensor::Scalar<int64_t>(value); };
  return MustRun("RangeDataset", Gives({kInt64}), {number(0), number(10), number(1)});
}
Tensor OneElement(const std::vector<Tensor>& parts) {
  AttrMap attrs = {{"output_shapes", std::vector<PartialShape>(parts.size(), PartialShape())}};
  return MustRun("TensorDataset", attrs, parts);
}

// Fields of a state, as saved_state.h writes them.
struct State {
  std::vector<Tensor> values;
  State& Text(const char* text) {
    values.push_back(Tensor::Scalar<std::string>(text));
    return *this;
  }
  State& Ints(const std::vector<int64_t>& numbers) {
    for (int64_t number : numbers) values.push_back(Tensor::Scalar<int64_t>(number));
    return *this;
  }
  State& Add(Tensor value) {
    values.push_back(std::move(value));
    return *this;
  }
};

// Restores the state and reads two elements.
absl::Status Read(const Tensor& set, const State& state) {
  const auto* found = set.scalar<Variant>().get_if<DataSet>();
  RunState run;
  Running running;
  running.state = &run;
  SLUICE_ASSIGN(auto stage, found->Begin(running));
  SavedState saved(state.values);
  SLUICE_RETURN_IF_ERROR(stage->SaveOrRestore(saved));
  for (int i = 0; i < 2; ++i) {
    Element element;
    SLUICE_RETURN_IF_ERROR(stage->Next(element).status());
  }
  return absl::OkStatus();
}

void ExpectRefused(const Tensor& set, const State& state) {
  const absl::Status status = Read(set, state);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
}

TEST(MadeUpStateTest, RowsBeyondABatch) {
  const Tensor batch = Tensor::Vector<float>({1, 2});
  const Tensor rows = MustRun("UnbatchDataset", Gives({kFloat}), {OneElement({batch})});
  ExpectRefused(rows, State()
                          .Text("OneTuple")
                          .Ints({1})
                          .Text("Unbatch")
                          .Ints({1})
                          .Add(batch)
                          .Ints({kHuge, kHuge + 2}));
}

TEST(MadeUpStateTest, RowsBeyondOnePartOfABatch) {
  const Tensor batch = Tensor::Vector<float>({1, 2});
  AttrMap attrs = Gives({kFloat, kFloat});
  const Tensor rows = MustRun(
      "RebatchDatasetV2", attrs,
      {OneElement({batch, batch}), Tensor::Vector<int64_t>({2}), Tensor::Scalar<bool>(false)});
  ExpectRefused(rows, State()
                          .Text("OneTuple")
                          .Ints({1})
                          .Text("RebatchRows")
                          .Ints({2})
                          .Add(Tensor(kFloat, Shape{1 << 20}))
                          .Add(Tensor(kFloat, Shape{1}))
                          .Ints({1 << 19, 0, 0}));
}

TEST(MadeUpStateTest, ElementsBeyondACache) {
  const Tensor cache =
      MustRun("CacheDataset", Gives({kInt64}), {Numbers(), Tensor::Scalar<std::string>("")});
  const State state =
      State().Text("Cache").Ints({0, 0, 1, 1, 1, 7}).Text("HeldElements").Ints({kHuge});
  EXPECT_EQ(Read(cache, state), absl::OkStatus());  // the end
}

TEST(MadeUpStateTest, PartsOfAWindowThatAreNotThere) {
  const auto one = Tensor::Scalar<int64_t>(1);
  const Tensor windows = MustRun("WindowDataset", Gives({kVariant}),
                                 {Numbers(), one, one, one, Tensor::Scalar<bool>(false)});
  ExpectRefused(windows, State()
                             .Text("Range")
                             .Ints({10, 0})
                             .Text("Window")
                             .Ints({0, 0, 1})
                             .Text("Held")
                             .Ints({0})
                             .Text("")
                             .Ints({1, 0}));
}

TEST(MadeUpStateTest, ShuffleBuffersWithoutElements) {
  const auto number = [](int64_t value) { return Tensor::Scalar<int64_t>(value); };
  const Tensor shuffle =
      MustRun("ShuffleDataset", Gives({kInt64}), {Numbers(), number(5), number(1), number(2)});
  const auto state = [](int64_t rounds, int64_t held) {
    State state = State().Text("Shuffle").Ints({1, 2, 1, rounds, held, 1, 0});
    if (rounds > 0) state.Text("ElementBuffer").Ints({0, 0});
    return state.Text("Numbers").Ints({0}).Text("Numbers").Ints({0, 1}).Text("Range").Ints({10, 0});
  };
  ExpectRefused(shuffle, state(/*rounds=*/1, /*held=*/5));
  ExpectRefused(shuffle, state(/*rounds=*/0, /*held=*/0));
}

TEST(MadeUpStateTest, ElementsOfAnotherType) {
  const Tensor texts =
      MustRun("UnbatchDataset", Gives({kString}), {OneElement({Tensor::Vector<int64_t>({1, 2})})});
  const auto* found = texts.scalar<Variant>().get_if<DataSet>();
  RunState run;
  Running running;
  running.state = &run;
  auto stage = found->Begin(running);
  ASSERT_TRUE(stage.ok()) << stage.status();
  Element element;
  EXPECT_TRUE(absl::IsInvalidArgument((*stage)->Next(element).status()));
}

}  // namespace
}  // namespace sluice::kernels
