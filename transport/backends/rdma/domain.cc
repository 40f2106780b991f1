// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/domain.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace sluice::transport {
namespace {

// What a task registers before the first tensor, and some room for tensors.
constexpr size_t kLeastPinned = 16 << 20;

// CAP_IPC_LOCK lifts the limit on pinned memory.
bool MayPinAll() {
  constexpr int kIpcLock = 14;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    uint64_t capabilities = 0;
    if (absl::StartsWith(line, "CapEff:") &&
        absl::SimpleHexAtoi(absl::string_view(line).substr(7), &capabilities))
      return (capabilities >> kIpcLock & 1) != 0;
  }
  return false;
}

std::string PinnedLimit() {
  rlimit limit = {};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : absl::StrCat(limit.rlim_cur, " bytes");
}

absl::Status CheckPinnedLimit() {
  rlimit limit = {};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if (limit.rlim_cur >= kLeastPinned || MayPinAll()) return absl::OkStatus();
  return Unavailable("this process may pin ", PinnedLimit(), " of memory, ", kLeastPinned,
                     " are needed: raise the limit (ulimit -l unlimited, or "
                     "LimitMEMLOCK=infinity "
                     "in the service's unit)");
}

bool IsIpv4(const ibv_gid& gid) {
  constexpr uint8_t kPrefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(gid.raw, kPrefix, sizeof(kPrefix)) == 0;
}

bool IsLinkLocal(const ibv_gid& gid) { return gid.raw[0] == 0xfe && (gid.raw[1] & 0xc0) == 0x80; }

bool IsNull(const ibv_gid& gid) {
  constexpr ibv_gid kNull = {};
  return std::memcmp(gid.raw, kNull.raw, sizeof(kNull.raw)) == 0;
}

// How well an entry of the table of GIDs suits; 0: not at all.
int Fitness(const ibv_gid_entry& entry) {
  if (IsNull(entry.gid)) return 0;
  const int version = entry.gid_type == IBV_GID_TYPE_ROCE_V2 ? 4 : 0;
  return version + (IsIpv4(entry.gid) ? 3 : IsLinkLocal(entry.gid) ? 1 : 2);
}

}  // namespace

absl::StatusOr<std::shared_ptr<RdmaDomain>> RdmaDomain::Open(const Verbs& verbs,
                                                             const RdmaSettings& settings) {
  int count = 0;
  ibv_device** list = verbs.get_device_list(&count);
  const int error = errno;
  if (list == nullptr) return Unavailable("ibv_get_device_list: ", strerror(error));
  absl::Status status = Unavailable("this machine has no RDMA device");
  if (count > 0 && !settings.device.empty())
    status = Unavailable("this machine has no RDMA device \"", settings.device, "\"");
  std::shared_ptr<RdmaDomain> found;
  for (int i = 0; i < count && found == nullptr; ++i) {
    if (!settings.device.empty() && settings.device != verbs.get_device_name(list[i])) continue;
    std::shared_ptr<RdmaDomain> domain(new RdmaDomain(verbs, settings));
    status = domain->OpenDevice(list[i]);
    if (status.ok()) found = std::move(domain);
  }
  verbs.free_device_list(list);
  if (found == nullptr) return status;
  return found;
}

RdmaDomain::~RdmaDomain() {
  if (pd_ != nullptr) verbs_.dealloc_pd(pd_);
  if (context_ != nullptr) verbs_.close_device(context_);
}

absl::Status RdmaDomain::OpenDevice(ibv_device* device) {
  name_ = verbs_.get_device_name(device);
  if (verbs_.pins_memory) SLUICE_RETURN_IF_ERROR(CheckPinnedLimit());
  context_ = verbs_.open_device(device);
  if (context_ == nullptr) return Failed("ibv_open_device", errno);
  if (const int error = verbs_.query_device(context_, &limits_); error != 0)
    return Failed("ibv_query_device", error);
  SLUICE_RETURN_IF_ERROR(ChoosePort());
  SLUICE_RETURN_IF_ERROR(ChooseGid());
  pd_ = verbs_.alloc_pd(context_);
  if (pd_ == nullptr) return Failed("ibv_alloc_pd", errno);
  return absl::OkStatus();
}

absl::Status RdmaDomain::ChoosePort() {
  const int first = settings_.port > 0 ? settings_.port : 1;
  const int last = settings_.port > 0 ? settings_.port : limits_.phys_port_cnt;
  absl::Status status = Unavailable("device ", name_, " has no port");
  for (int port = first; port <= last; ++port) {
    port_ = static_cast<uint8_t>(port);
    port_state_ = {};
    if (const int error = verbs_.query_port(context_, port_, &port_state_); error != 0)
      return Failed("ibv_query_port", error);
    if (port_state_.state == IBV_PORT_ACTIVE) return absl::OkStatus();
    status = Unavailable("port ", port, " of device ", name_, " is not active");
  }
  return status;
}

absl::Status RdmaDomain::ChooseGid() {
  if (!ethernet() && settings_.gid_index < 0) return absl::OkStatus();  // InfiniBand: by LID
  int best = 0;
  for (int index = 0; index < std::min(port_state_.gid_tbl_len, 256); ++index) {
    if (settings_.gid_index >= 0 && settings_.gid_index != index) continue;
    ibv_gid_entry entry = {};
    if (verbs_.query_gid_ex(context_, port_, static_cast<uint32_t>(index), &entry, 0,
                            sizeof(entry)) != 0)
      continue;  // an empty entry
    const int fitness = Fitness(entry);
    if (fitness <= best) continue;
    best = fitness;
    gid_ = entry.gid;
    gid_index_ = static_cast<uint8_t>(index);
  }
  if (best > 0) return absl::OkStatus();
  return settings_.gid_index >= 0
             ? Unavailable("port ", port_, " of device ", name_, " has no GID ",
                           settings_.gid_index)
             : Unavailable("port ", port_, " of device ", name_, " has no GID: its network ",
                           "interface has no address");
}

std::string RdmaDomain::ToString() const {
  return ethernet() ? absl::StrCat(name_, " port ", port_, " GID ", gid_index_)
                    : absl::StrCat(name_, " port ", port_, " LID ", port_state_.lid);
}

absl::Status RdmaDomain::Failed(absl::string_view function, int error) const {
  return Unavailable("device ", name_, " port ", port_, ": ", function, ": ", strerror(error),
                     " (errno ", error, ")");
}

absl::StatusOr<Registration> Registration::Create(std::shared_ptr<RdmaDomain> domain, void* data,
                                                  size_t bytes, int access) {
  Registration made;
  made.mr_ = domain->verbs().reg_mr(domain->pd(), data, bytes, access);
  if (made.mr_ == nullptr) {
    const int error = errno;
    const absl::Status failed = domain->Failed("ibv_reg_mr", error);
    return ResourceExhausted(failed.message(), " for ", bytes, " bytes; this process may pin ",
                             PinnedLimit(), " (ulimit -l)");
  }
  made.domain_ = std::move(domain);
  return made;
}

absl::StatusOr<std::shared_ptr<RegisteredMemory>> RegisteredMemory::Create(
    const std::shared_ptr<RdmaDomain>& domain, size_t bytes, int access) {
  std::shared_ptr<RegisteredMemory> made(new RegisteredMemory(bytes));
  if (!made->counted_.taken())
    return ResourceExhausted("registered memory of ", bytes, " bytes; ", DescribeMemory());
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return ResourceExhausted("mapping ", bytes, " bytes: ", strerror(errno));
  made->data_ = static_cast<char*>(data);
  SLUICE_ASSIGN(made->registration_, Registration::Create(domain, data, bytes, access));
  return made;
}

RegisteredMemory::~RegisteredMemory() {
  pin_.reset();
  Deregister();
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace sluice::transport
