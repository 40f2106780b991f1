// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_SESSION_SESSION_FIXTURE_H_
#define SLUICE_TESTS_CUDA_DOUBLE_SESSION_SESSION_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "client/session.h"
#include "proto/config.pb.h"
#include "tests/cuda_double/control.h"
#include "tests/cuda_double/libraries/libraries.h"

namespace sluice::cuda_double {

constexpr int64_t kMiB = 1 << 20;

// Sessions in this process, on one GPU of the double. When a test ends, nothing is left on the GPU.
class GpuSessionTest : public ::testing::Test {
 protected:
  GpuSessionTest() {
    UseLibraryDoubles();
    SetDevices(1, 512 * kMiB);
  }
  ~GpuSessionTest() override {
    HoldStreams(false);
    ExpectNothingLeft();
    for (const std::string& report : Reports()) ADD_FAILURE() << report;
    Reset();
    UseLibraryDoubles();
  }

  static std::unique_ptr<client::Session> Open(const client::Graph& graph,
                                               const proto::ConfigProto& config = {}) {
    client::SessionOptions options;
    options.config = config.SerializeAsString();
    auto session = client::Session::Create(&graph, options);
    EXPECT_TRUE(session.ok()) << session.status();
    return session.ok() ? *std::move(session) : nullptr;
  }

  // REQUIRES: no session lives.
  static void ExpectNothingLeft(const std::string& when = "") {
    const Counts counts = CountAll();
    EXPECT_EQ(counts.device_bytes, 0) << when;
    EXPECT_EQ(counts.pinned_bytes, 0) << when;
    EXPECT_EQ(counts.streams, 0) << when;
    EXPECT_EQ(counts.events, 0) << when;
  }
  // No call fails from now on.
  static void FailNone() { FailCall(Call::kAny, 0, cudaSuccess); }
};

inline std::string Message(const absl::Status& status) { return std::string(status.message()); }

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_SESSION_SESSION_FIXTURE_H_
