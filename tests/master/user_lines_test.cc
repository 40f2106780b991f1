// SPDX-License-Identifier: Apache-2.0
#include "master/user_lines.h"

#include <gtest/gtest.h>

#include "proto/graph_debug_info.pb.h"

namespace sluice::master {
namespace {

proto::GraphDebugInfo Info() {
  proto::GraphDebugInfo info;
  info.add_files("model.py");
  info.add_files("train.py");
  const auto frame = [&](uint64_t id, int file, int line, const std::string& function) {
    proto::GraphDebugInfo::FileLineCol& made = (*info.mutable_frames_by_id())[id];
    made.set_file_index(file);
    made.set_line(line);
    made.set_func(function);
  };
  frame(1, 0, 4, "model");
  frame(2, 1, 9, "");
  (*info.mutable_traces_by_id())[7].add_frame_id(1);
  (*info.mutable_traces_by_id())[7].add_frame_id(2);
  (*info.mutable_traces_by_id())[8].add_frame_id(2);
  (*info.mutable_traces_by_id())[9].add_frame_id(66);  // a frame that is not there
  (*info.mutable_name_to_trace_id())["layer1/MatMul"] = 7;
  (*info.mutable_name_to_trace_id())["cond"] = 8;
  (*info.mutable_name_to_trace_id())["lost"] = 9;
  return info;
}

TEST(UserLinesTest, NamesTheInnermostLineOfTheNodeInAnError) {
  UserLines lines;
  EXPECT_TRUE(lines.empty());
  lines.Add(Info());
  EXPECT_EQ(lines.Of("sizes differ\n\t [[{{node layer1/MatMul}}]] (MatMul on CPU:0)"),
            "layer1/MatMul created at model.py:4 in model()");
  EXPECT_EQ(lines.Of("[[{{node cond>then>Log}}]]"), "cond created at train.py:9");
}

TEST(UserLinesTest, AddsNothingForUnknownNodes) {
  UserLines lines;
  lines.Add(Info());
  for (const char* message : {"", "{{node ", "{{node other}}", "{{node lost}}", "no node at all"})
    EXPECT_EQ(lines.Of(message), "") << message;
  EXPECT_EQ(lines.Of("{{node other}} {{node cond}}"), "cond created at train.py:9");
}

TEST(UserLinesTest, TakesTracesWithoutNumbersAndLaterOnes) {
  UserLines lines;
  lines.Add(Info());
  proto::GraphDebugInfo more;
  more.add_files("late.py");
  auto* frame = (*more.mutable_traces())["late"].add_file_line_cols();
  frame->set_line(3);
  frame->set_func("<lambda>");
  lines.Add(more);
  EXPECT_EQ(lines.Of("{{node late}}"), "late created at late.py:3 in <lambda>");
  EXPECT_EQ(lines.Of("{{node cond}}"), "cond created at train.py:9");
}

}  // namespace
}  // namespace sluice::master
