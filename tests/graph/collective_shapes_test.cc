// SPDX-License-Identifier: Apache-2.0
// The expected shapes are those that TensorFlow 1.15 and 2.21 infer.
#include <gtest/gtest.h>

#include "graph/shape_inference.h"
#include "tests/graph/graph_text.h"

namespace sluice::graph {
namespace {

// The shape of the op's output. x is [4, 3], v a vector of unknown size, u of unknown rank, s a
// scalar; the keys are constants.
std::string ShapeOf(const std::string& statement) {
  auto graph = FromText(
      "x = Placeholder[dtype=float, shape=[4, 3]] ; v = Placeholder[dtype=float, shape=[?]] ; "
      "u = Placeholder[dtype=float] ; s = Placeholder[dtype=float, shape=[]] ; size = Const(2) ; "
      "key = Const(1) ; sizes = Const([2, -1]) ; fed = Placeholder[dtype=int32, shape=[3]] ; "
      "result = " +
      statement);
  auto shapes = InferShapes(*graph);
  if (!shapes.ok()) return "error";
  return (*shapes)[static_cast<size_t>(graph->Find("result")->id())][0].ToString();
}

TEST(CollectiveShapesTest, AreTensorFlows) {
  const std::string keys = "group_size=2, group_key=1, instance_key=1";
  const std::string sum = "merge_op=\"Add\", final_op=\"Id\"";
  const std::pair<std::string, const char*> cases[] = {
      {"CollectiveReduce[" + keys + ", " + sum + ", subdiv_offsets=[0]](x)", "[4,3]"},
      {"CollectiveGather[" + keys + ", shape=[0]](x)", "[8,3]"},
      {"CollectiveGather[" + keys + ", shape=[0]](v)", "[?]"},
      {"CollectiveGather[" + keys + ", shape=[0]](u)", "<unknown>"},
      {"CollectiveGather[" + keys + ", shape=[0]](s)", "error"},
      {"CollectiveBcastSend[" + keys + ", shape=[8]](x)", "[8]"},
      {"CollectiveBcastRecv[" + keys + ", shape=[?, 3], T=float]()", "[?,3]"},
      {"CollectiveReduceV2[" + sum + "](x, size, key, key)", "[4,3]"},
      {"CollectiveGatherV2(x, size, key, key)", "[?,3]"},
      {"CollectiveGatherV2(s, size, key, key)", "error"},
      {"CollectiveReduceScatterV2[" + sum + "](x, size, key, key)", "[?,3]"},
      {"CollectiveReduceScatterV2[" + sum + "](u, size, key, key)", "<unknown>"},
      {"CollectiveAllToAllV2(x, size, key, key)", "[4,3]"},
      {"CollectiveBcastSendV2(x, size, key, key)", "[4,3]"},
      {"CollectiveBcastRecvV2[T=float](size, key, key, sizes)", "[2,?]"},
      {"CollectiveBcastRecvV2[T=float](size, key, key, fed)", "[?,?,?]"},
      {"CollectiveBcastRecvV2[T=float](size, key, key, key)", "error"},
      {"CollectiveInitializeCommunicator(key, key, size)", "[]"},
      {"CollectiveAssignGroupV2(sizes, key, key)", "[]"},
      {"NcclAllReduce[reduction=\"sum\", num_devices=2, shared_name=\"a\"](v)", "[?]"},
      {"NcclBroadcast[shape=[4, 3]](v)", "[?]"},
      {"NcclReduce[reduction=\"sum\"](x, u)", "[4,3]"},
  };
  for (const auto& [statement, shape] : cases) EXPECT_EQ(ShapeOf(statement), shape) << statement;
}

}  // namespace
}  // namespace sluice::graph
