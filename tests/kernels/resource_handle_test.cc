// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/resource_handle.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

using testing::HasSubstr;

// Queues are the example for all ops that make a resource.
class ResourceHandleTest : public testing::Test {
 protected:
  TestNode Queue(const std::string& op, AttrMap attrs, const std::string& name = "q") {
    attrs["component_types"] = std::vector<DType>{kFloat};
    absl::StatusOr<TestNode> node = runner_.Make(op, std::move(attrs), {}, name);
    EXPECT_TRUE(node.ok()) << node.status();
    return *std::move(node);
  }
  Slot Handle(const TestNode& node) {
    auto out = runner_.RunSlots(node, {});
    EXPECT_TRUE(out.ok()) << out.status();
    return (*out)[0];
  }
  std::string Size(const Slot& handle, const std::string& op) {
    auto out = runner_.RunSlots(op, {}, {handle});
    return out.ok() ? (*out)[0].value.ToString() : std::string(out.status().message());
  }
  int64_t stored() { return runner_.device().resources().size(); }

  KernelRunner runner_;
};

TEST_F(ResourceHandleTest, NodesWithoutSharedNameHaveTheirOwn) {
  const TestNode a = Queue("FIFOQueueV2", {}, "q"), b = Queue("FIFOQueueV2", {}, "q");
  const auto name = [&](const TestNode& node) {
    return Handle(node).value.scalar<ResourceHandle>().name;
  };
  EXPECT_NE(name(a), name(b));
  EXPECT_EQ(name(a), name(a));
  EXPECT_THAT(name(a), testing::MatchesRegex("_[0-9]+_q"));
}

TEST_F(ResourceHandleTest, AnUnsharedResourceIsRemovedWithItsKernel) {
  {
    const TestNode own = Queue("FIFOQueueV2", {});
    const TestNode shared = Queue("FIFOQueueV2", {{"shared_name", "s"}});
    Handle(own);
    Handle(shared);
    EXPECT_EQ(stored(), 2);
  }
  EXPECT_EQ(stored(), 1);
}

TEST_F(ResourceHandleTest, BothKindsOfHandleLeadToTheSameResource) {
  const TestNode v1 = Queue("FIFOQueue", {{"shared_name", "s"}});
  const TestNode v2 = Queue("FIFOQueueV2", {{"shared_name", "s"}});
  const Slot by_name = Handle(v1), by_object = Handle(v2);
  ASSERT_TRUE(
      runner_.RunSlots("QueueEnqueue", {}, {by_name, ValueSlot(Tensor::Scalar<float>(1))}).ok());
  EXPECT_EQ(Size(by_object, "QueueSizeV2"), "int32 [] {1}");
  // Only the strings, as received from another process.
  EXPECT_EQ(Size(ValueSlot(by_name.ref->value), "QueueSize"), "int32 [] {1}");
}

TEST_F(ResourceHandleTest, ContainersKeepNamesApart) {
  const TestNode a = Queue("FIFOQueueV2", {{"shared_name", "s"}, {"container", "c1"}});
  const TestNode b = Queue("FIFOQueueV2", {{"shared_name", "s"}});
  EXPECT_FALSE(Handle(a).value.scalar<ResourceHandle>().object ==
               Handle(b).value.scalar<ResourceHandle>().object);
}

TEST_F(ResourceHandleTest, AClearedContainerIsFilledAgain) {
  const TestNode node = Queue("FIFOQueueV2", {{"shared_name", "s"}});
  const Slot before = Handle(node);
  runner_.device().resources().ClearAll();
  EXPECT_THAT(Size(before, "QueueSizeV2"),
              HasSubstr("localhost/s/N10tensorflow14QueueInterfaceE does not exist."));
  EXPECT_EQ(Size(Handle(node), "QueueSizeV2"), "int32 [] {0}");
}

TEST_F(ResourceHandleTest, BadNamesAreRefused) {
  const auto error = [&](AttrMap attrs) {
    attrs["component_types"] = std::vector<DType>{kFloat};
    return std::string(runner_.Make("FIFOQueueV2", attrs, {}).status().message());
  };
  EXPECT_THAT(error({{"shared_name", "_s"}}), HasSubstr("shared_name cannot start with '_'"));
  EXPECT_THAT(error({{"container", "a b"}}),
              HasSubstr("container contains invalid characters: a b"));
}

TEST_F(ResourceHandleTest, AHandleOfAnotherClassIsRefused) {
  auto variable =
      runner_.RunSlots("VarHandleOp", {{"dtype", kFloat}, {"shape", PartialShape()}}, {});
  ASSERT_TRUE(variable.ok()) << variable.status();
  EXPECT_THAT(Size((*variable)[0], "QueueSizeV2"), HasSubstr("not a N10tensorflow14Queue"));
}

}  // namespace
}  // namespace sluice::kernels
