// SPDX-License-Identifier: Apache-2.0
// How the device, its port and its address are found, and what people are told about it.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/verbs_double/verbs_double.h"
#include "transport/backends/rdma/domain.h"
#include "transport/backends/rdma/report.h"

namespace sluice::transport {
namespace {

using testing::HasSubstr;

class RdmaSettingsTest : public testing::Test {
 protected:
  RdmaSettingsTest() { VerbsDouble::Reset(); }
  ~RdmaSettingsTest() override {
    EXPECT_EQ(VerbsDouble::Live(), "");
    VerbsDouble::Reset();
  }
  static absl::StatusOr<std::shared_ptr<RdmaDomain>> Open(const RdmaSettings& settings,
                                                          const std::string& address = "") {
    return RdmaDomain::Open(VerbsDouble::Table(), settings, address);
  }
  // "value (source)" of a fact.
  static std::string Fact(const RdmaDomain& domain, const std::string& name) {
    for (const RdmaFact& fact : domain.Facts()) {
      if (fact.name == name) return fact.value + " (" + fact.source + ")";
    }
    return "";
  }
};

ibv_gid_entry Entry(const std::string& address, ibv_gid_type type) {
  ibv_gid_entry entry = {};
  entry.gid = GidsOfTask(address + ":1").front();
  entry.gid_type = type;
  return entry;
}

TEST_F(RdmaSettingsTest, GidsAreOrdered) {
  const std::vector<ibv_gid> own = GidsOfTask("10.0.1.7:2222");
  ASSERT_EQ(own.size(), 1u);
  EXPECT_EQ(GidText(own[0]), "10.0.1.7");
  constexpr auto kV1 = IBV_GID_TYPE_ROCE_V1, kV2 = IBV_GID_TYPE_ROCE_V2;
  int last = 100;
  for (const ibv_gid_entry& entry :
       {Entry("10.0.1.7", kV2), Entry("10.0.0.7", kV2), Entry("[fd00::1]", kV2),
        Entry("[fe80::1]", kV2), Entry("10.0.1.7", kV1), Entry("10.0.0.7", kV1),
        Entry("[fe80::1]", kV1), ibv_gid_entry{}}) {
    const int fitness = GidFitness(entry, own);
    EXPECT_LT(fitness, last) << GidText(entry.gid);
    last = fitness;
  }
  EXPECT_EQ(last, 0) << "an empty entry";
}

TEST_F(RdmaSettingsTest, EachSettingIsShownWithItsSource) {
  auto domain = Open({});
  ASSERT_TRUE(domain.ok()) << domain.status();
  EXPECT_EQ(Fact(**domain, "device"), "double0 (found: the first active one)");
  EXPECT_EQ(Fact(**domain, "port"), "1 (found: the first active one)");
  EXPECT_EQ(Fact(**domain, "GID"), "3, 10.0.0.1 (found: the best of the table)");
  EXPECT_EQ(Fact(**domain, "MTU"), "4096 (of the port)");
  EXPECT_EQ(Fact(**domain, "time-out"), "14 (default)");
  EXPECT_THAT(Fact(**domain, "pinned memory"), HasSubstr("(half of the memory limit)"));

  domain = Open({.device = "double0",
                 .port = 1,
                 .gid_index = 1,
                 .mtu = 1500,
                 .service_level = 3,
                 .traffic_class = 104,
                 .timeout = 10,
                 .retry_count = 5,
                 .pinned_mb = 100});
  ASSERT_TRUE(domain.ok()) << domain.status();
  EXPECT_EQ(Fact(**domain, "device"), "double0 (--rdma_device)");
  EXPECT_EQ(Fact(**domain, "port"), "1 (--rdma_port)");
  EXPECT_EQ(Fact(**domain, "GID"), "1, fe80::1 (--rdma_gid_index)");
  EXPECT_EQ(Fact(**domain, "MTU"), "1024 (--rdma_mtu)");
  EXPECT_EQ(Fact(**domain, "service level"), "3 (--rdma_service_level)");
  EXPECT_EQ(Fact(**domain, "traffic class"), "104 (--rdma_traffic_class)");
  EXPECT_EQ(Fact(**domain, "time-out"), "10 (--rdma_timeout)");
  EXPECT_EQ(Fact(**domain, "retry count"), "5 (--rdma_retry_count)");
  EXPECT_EQ(Fact(**domain, "pinned memory"), "at most 100 MB (--rdma_pinned_mb)");
}

TEST_F(RdmaSettingsTest, TheAddressOfTheTaskChoosesDeviceAndGid) {
  VerbsDouble::SetDevices(2);
  auto domain = Open({}, "10.0.1.2:2222");
  ASSERT_TRUE(domain.ok()) << domain.status();
  EXPECT_EQ(Fact(**domain, "device"), "double1 (found: the first with this task's address)");
  EXPECT_EQ(Fact(**domain, "GID"), "5, 10.0.1.2 (found: this task's address)");
  domain = Open({}, "10.9.9.9:2222");
  ASSERT_TRUE(domain.ok()) << domain.status();
  EXPECT_EQ((*domain)->ToString(), "double0 port 1 GID 3");
}

TEST_F(RdmaSettingsTest, AGidThatIsNotThereIsNamed) {
  EXPECT_EQ(Open({.gid_index = 6}).status().message(),
            "port 1 of device double0 has no GID 6 (--rdma_gid_index)");
}

TEST_F(RdmaSettingsTest, TheReportShowsTheMachineAndTestsTheDevice) {
  const RdmaReport report = ReportRdma({}, "10.0.0.1:2222", &VerbsDouble::Table());
  EXPECT_TRUE(report.works) << report.text;
  for (const char* line :
       {"device          double0, firmware unknown", "  port 1        active, Ethernet, MTU 4096",
        "    GID 2       10.0.0.1, RoCE v1", "limit           this process may pin ",
        "GID             3, 10.0.0.1  (found: this task's address)",
        "loop-back       works: WRITE, READ and SEND in "})
    EXPECT_THAT(report.text, HasSubstr(line));
}

TEST_F(RdmaSettingsTest, TheReportSaysWhatDoesNotWork) {
  VerbsDouble::SetPortState(IBV_PORT_DOWN);
  RdmaReport report = ReportRdma({}, "", &VerbsDouble::Table());
  EXPECT_FALSE(report.works);
  EXPECT_THAT(report.text, HasSubstr("  port 1        down, "));
  EXPECT_THAT(report.text,
              HasSubstr("RDMA            cannot be used: port 1 of device double0 is"));
  VerbsDouble::Reset();
  VerbsDouble::FailRequest(1, IBV_WC_GENERAL_ERR);
  report = ReportRdma({}, "", &VerbsDouble::Table());
  EXPECT_FALSE(report.works);
  EXPECT_THAT(report.text, HasSubstr("(completion status "));
}

}  // namespace
}  // namespace sluice::transport
