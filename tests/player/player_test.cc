// SPDX-License-Identifier: Apache-2.0
#include "tests/player/player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/codec/codec.h"
#include "tests/player/recorded_cases.pb.h"

namespace sluice::player {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

proto::NodeDef* AddNode(proto::RecordedCases& cases, const char* name, const char* op) {
  proto::NodeDef* node = cases.mutable_graph()->add_node();
  node->set_name(name);
  node->set_op(op);
  return node;
}

// -x for x = 2, with this answer.
proto::RecordedCases Negation(float answer) {
  proto::RecordedCases cases;
  cases.set_name("negation");
  cases.mutable_graph()->mutable_versions()->set_producer(27);
  (*AddNode(cases, "x", "Placeholder")->mutable_attr())["dtype"].set_type(proto::DT_FLOAT);
  proto::NodeDef* neg = AddNode(cases, "neg", "Neg");
  neg->add_input("x");
  (*neg->mutable_attr())["T"].set_type(proto::DT_FLOAT);
  proto::RecordedRun* run = cases.add_runs();
  run->set_name("run");
  run->add_nodes("neg");
  run->add_fetches("neg:0");
  proto::NamedTensorProto* feed = run->add_feeds();
  feed->set_name("x:0");
  EXPECT_TRUE(EncodeTensor(Tensor::Scalar<float>(2), feed->mutable_tensor()).ok());
  EXPECT_TRUE(EncodeTensor(Tensor::Scalar<float>(answer), run->add_answers()).ok());
  return cases;
}

class PlayerTest : public testing::TestWithParam<Target> {
 protected:
  const std::vector<std::string>& FailuresOf(const proto::RecordedCases& cases) {
    player_ = Player::Create(GetParam()).value();
    player_->Play(cases);
    return player_->failures();
  }
  std::unique_ptr<Player> player_;
};

TEST_P(PlayerTest, PassesTheAnswerOfTensorFlow) {
  EXPECT_THAT(FailuresOf(Negation(-2)), IsEmpty());
  EXPECT_EQ(player_->passed(), 1);
  EXPECT_EQ(player_->runs_by_op().at("Neg"), 1);
}

TEST_P(PlayerTest, FailsAtAnotherValue) {
  EXPECT_THAT(FailuresOf(Negation(-2.001F)),
              ElementsAre(HasSubstr("is -2, TensorFlow's is -2.001")));
  EXPECT_EQ(player_->passed(), 0);
}

TEST_P(PlayerTest, FailsAtAnotherDTypeOrShape) {
  proto::RecordedCases cases = Negation(-2);
  cases.mutable_runs(0)->mutable_answers(0)->set_dtype(proto::DT_INT32);
  EXPECT_THAT(FailuresOf(cases), ElementsAre(HasSubstr("is float[], TensorFlow's int32[]")));
}

TEST_P(PlayerTest, FailsWithoutTheErrorOfTensorFlow) {
  proto::RecordedCases cases = Negation(-2);
  cases.mutable_runs(0)->set_code(proto::error::INVALID_ARGUMENT);
  EXPECT_THAT(FailuresOf(cases), ElementsAre(HasSubstr("no error, expected INVALID_ARGUMENT")));
}

TEST_P(PlayerTest, FailsAtAnErrorThatTensorFlowDoesNotGive) {
  proto::RecordedCases cases = Negation(-2);
  cases.mutable_runs(0)->clear_feeds();
  EXPECT_THAT(FailuresOf(cases), ElementsAre(HasSubstr("must feed a value")));
}

TEST_P(PlayerTest, FailsIfATestedNodeDidNotRun) {
  proto::RecordedCases cases = Negation(-2);
  cases.mutable_runs(0)->add_nodes("x");  // it is fed
  EXPECT_THAT(FailuresOf(cases), ElementsAre(HasSubstr("x did not run on /device:CPU:0")));
}

TEST_P(PlayerTest, FailsAtAnUnknownOp) {
  proto::RecordedCases cases = Negation(-2);
  cases.mutable_graph()->mutable_node(1)->set_op("NoSuchOp");
  EXPECT_THAT(FailuresOf(cases), ElementsAre(HasSubstr("NoSuchOp")));
}

INSTANTIATE_TEST_SUITE_P(Targets, PlayerTest, testing::Values(Target::kCpu, Target::kAsync));

}  // namespace
}  // namespace sluice::player
