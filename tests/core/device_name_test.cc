// SPDX-License-Identifier: Apache-2.0
#include "core/device_name.h"

#include "gtest/gtest.h"

namespace sluice {
namespace {

std::string Canonical(absl::string_view text) {
  const auto name = DeviceName::Parse(text);
  return name.ok() ? name->ToString() : "error";
}

TEST(DeviceNameTest, ReadsEveryForm) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", ""},
      {"/", ""},
      {"/job:worker/replica:0/task:3/device:GPU:1", "/job:worker/replica:0/task:3/device:GPU:1"},
      {"/job:worker/replica:0/task:3/gpu:1", "/job:worker/replica:0/task:3/device:GPU:1"},
      {"/device:GPU:1", "/device:GPU:1"},
      {"GPU:1", "/device:GPU:1"},
      {"cpu:0", "/device:CPU:0"},
      {"/cpu:*", "/device:CPU:*"},
      {"/device:cpu:0", "/device:CPU:0"},
      {"/device:XPU", "/device:XPU:*"},
      {"/device:*:2", "/device:*:2"},
      {"/job:*/task:*", ""},
      {"/task:1/job:ps", "/job:ps/task:1"},
      {"/job:a/job:b_2", "/job:b_2"},
      {"/job:a/job:*", ""},
  };
  for (const auto& [text, want] : kCases) EXPECT_EQ(Canonical(text), want) << text;
}

TEST(DeviceNameTest, RefusesTheRestByName) {
  for (const char* text :
       {"/job:", "/job:1a", "/job:a b", "/task:-1", "/task:x", "/task:99999999999",
        "/device:", "/device:CPU:", "/device:CPU:0:1", "/job:a//task:0", "/job:a/", "xpu:0",
        "/cpu:-1", "job", "//", "/task:+1"}) {
    const absl::Status status = DeviceName::Parse(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_NE(status.message().find(text), absl::string_view::npos);
  }
}

TEST(DeviceNameTest, MatchesAndMerges) {
  const DeviceName full = *DeviceName::Parse("/job:worker/replica:0/task:3/device:GPU:1");
  EXPECT_TRUE(full.full());
  EXPECT_TRUE(DeviceName::Parse("/job:worker/device:GPU:*")->Matches(full));
  EXPECT_FALSE(DeviceName::Parse("/task:2")->Matches(full));
  EXPECT_TRUE(DeviceName().Matches(full));
  DeviceName inner = *DeviceName::Parse("/device:CPU:0");
  inner.MergeOver(full);
  EXPECT_EQ(inner.ToString(), "/job:worker/replica:0/task:3/device:CPU:0");
  EXPECT_TRUE(inner.SameTask(full));
  EXPECT_EQ(full.task_name(), "/job:worker/replica:0/task:3");
}

}  // namespace
}  // namespace sluice
