// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/report.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "transport/backends/rdma/device.h"
#include "transport/backends/rdma/loopback.h"

namespace sluice::transport {
namespace {

constexpr size_t kStagingBytes = 1 << 20;

// Lines of a name and a value.
class Lines {
 public:
  explicit Lines(std::string* text) : text_(*text) {}
  void Add(absl::string_view name, absl::string_view value, absl::string_view source = "") {
    absl::StrAppendFormat(&text_, "%-16s%s", name, value);
    if (!source.empty()) absl::StrAppend(&text_, "  (", source, ")");
    text_ += '\n';
  }

 private:
  std::string& text_;
};

absl::string_view StateOf(ibv_port_state state) {
  constexpr absl::string_view kStates[] = {"no state", "down",   "initialised",
                                           "armed",    "active", "active, deferred"};
  return kStates[std::clamp<int>(state, 0, 5)];
}

absl::string_view TypeOf(const ibv_gid_entry& entry) {
  return entry.gid_type == IBV_GID_TYPE_ROCE_V2   ? "RoCE v2"
         : entry.gid_type == IBV_GID_TYPE_ROCE_V1 ? "RoCE v1"
                                                  : "InfiniBand";
}

void AddPort(const Verbs& verbs, ibv_context* context, uint8_t number, Lines& lines) {
  ibv_port_attr port = {};
  const std::string name = absl::StrCat("  port ", number);
  if (const int error = verbs.query_port(context, number, &port); error != 0)
    return lines.Add(name, absl::StrCat("ibv_query_port: ", strerror(error)));
  const bool ethernet = port.link_layer == IBV_LINK_LAYER_ETHERNET;
  lines.Add(name, absl::StrCat(StateOf(port.state), ", ", ethernet ? "Ethernet" : "InfiniBand",
                               ", MTU ", MtuBytes(port.active_mtu), " of ", MtuBytes(port.max_mtu),
                               ethernet ? "" : absl::StrCat(", LID ", port.lid),
                               ", messages up to ", port.max_msg_sz, " bytes"));
  for (int index = 0; index < std::min(port.gid_tbl_len, 256); ++index) {
    ibv_gid_entry entry = {};
    if (verbs.query_gid_ex(context, number, static_cast<uint32_t>(index), &entry, 0,
                           sizeof(entry)) == 0 &&
        GidFitness(entry, {}) > 0)
      lines.Add(absl::StrCat("    GID ", index),
                absl::StrCat(GidText(entry.gid), ", ", TypeOf(entry)));
  }
}

void AddDevice(const Verbs& verbs, ibv_device* device, Lines& lines) {
  const char* name = verbs.get_device_name(device);
  ibv_context* const context = verbs.open_device(device);
  if (context == nullptr)
    return lines.Add("device", absl::StrCat(name, ", cannot be opened: ", strerror(errno)));
  ibv_device_attr limits = {};
  if (verbs.query_device(context, &limits) == 0) {
    const char* firmware = limits.fw_ver;
    lines.Add("device",
              absl::StrCat(name, ", firmware ", *firmware == 0 ? "unknown" : firmware, ", at most ",
                           limits.max_qp, " queue pairs, ", limits.max_mr, " registrations"));
    for (uint8_t port = 1; port <= limits.phys_port_cnt; ++port)
      AddPort(verbs, context, port, lines);
  }
  verbs.close_device(context);
}

void AddDevices(const Verbs& verbs, Lines& lines) {
  int count = 0;
  ibv_device** list = verbs.get_device_list(&count);
  if (list == nullptr) return;
  for (int i = 0; i < count; ++i) AddDevice(verbs, list[i], lines);
  verbs.free_device_list(list);
}

// A GPU's memory reaches a device directly only by one of these; this transport copies it.
void AddGpuMemory(const Verbs& verbs, Lines& lines) {
  const bool peer = access("/sys/module/nvidia_peermem", F_OK) == 0 ||
                    access("/sys/module/nv_peer_mem", F_OK) == 0;
  lines.Add(
      "GPU memory",
      absl::StrCat("travels by host memory; peer memory: ",
                   peer ? "its module is loaded" : "no module (nvidia_peermem)",
                   "; dma-buf: ", verbs.has_dmabuf ? "the library has it" : "the library lacks it",
                   "; neither is used"));
}

absl::Status TestDevice(const Verbs& verbs, const RdmaSettings& settings,
                        const std::string& address, Lines& lines) {
  SLUICE_ASSIGN(std::shared_ptr<RdmaDomain> domain, RdmaDomain::Open(verbs, settings, address));
  for (const RdmaFact& fact : domain->Facts()) lines.Add(fact.name, fact.value, fact.source);
  PollLoop loop("report");
  SLUICE_ASSIGN(std::shared_ptr<RdmaDevice> device,
                RdmaDevice::Create(std::move(domain), &loop, kStagingBytes));
  const absl::Time begin = absl::Now();
  SLUICE_RETURN_IF_ERROR(TestLoopback(device));
  lines.Add("loop-back", absl::StrCat("works: WRITE, READ and SEND in ",
                                      absl::FormatDuration(absl::Now() - begin)));
  return absl::OkStatus();
}

}  // namespace

RdmaReport ReportRdma(const RdmaSettings& settings, const std::string& address,
                      const Verbs* verbs) {
  RdmaReport report;
  Lines lines(&report.text);
  absl::Status status;
  if (verbs == nullptr) {
    const auto opened = OpenVerbs();
    status = opened.status();
    if (opened.ok()) verbs = *opened;
  }
  if (verbs != nullptr) {
    lines.Add("library", verbs->pins_memory ? "libibverbs.so.1" : "a double");
    AddDevices(*verbs, lines);
    lines.Add("limit", absl::StrCat("this process may pin ", PinnedLimitText(), " (ulimit -l)"));
    AddGpuMemory(*verbs, lines);
    status = TestDevice(*verbs, settings, address, lines);
  }
  report.works = status.ok();
  if (!status.ok()) lines.Add("RDMA", absl::StrCat("cannot be used: ", status.message()));
  return report;
}

}  // namespace sluice::transport
