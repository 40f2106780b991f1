// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/domain.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "transport/backends/rdma/counters.h"
#include "transport/backends/tcp/socket.h"

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

bool IsIpv4(const ibv_gid& gid) {
  constexpr uint8_t kPrefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(gid.raw, kPrefix, sizeof(kPrefix)) == 0;
}

bool IsLinkLocal(const ibv_gid& gid) { return gid.raw[0] == 0xfe && (gid.raw[1] & 0xc0) == 0x80; }

bool IsNull(const ibv_gid& gid) {
  constexpr ibv_gid kNull = {};
  return std::memcmp(gid.raw, kNull.raw, sizeof(kNull.raw)) == 0;
}

bool Equal(const ibv_gid& a, const ibv_gid& b) {
  return std::memcmp(a.raw, b.raw, sizeof(a.raw)) == 0;
}

bool Contains(const std::vector<ibv_gid>& gids, const ibv_gid& one) {
  return std::any_of(gids.begin(), gids.end(), [&](const ibv_gid& gid) { return Equal(gid, one); });
}

size_t PinnedLimitOf(const RdmaSettings& settings) {
  if (settings.pinned_mb > 0) return static_cast<size_t>(settings.pinned_mb) << 20;
  const int64_t limit = MemoryLimit() > 0 ? MemoryLimit() : MachineMemory();
  return static_cast<size_t>(limit / 2);
}

}  // namespace

std::string PinnedLimitText() {
  rlimit limit = {};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : absl::StrCat(limit.rlim_cur, " bytes");
}

absl::Status CheckPinnedLimit() {
  rlimit limit = {};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if (limit.rlim_cur >= kLeastPinned || MayPinAll()) return absl::OkStatus();
  return Unavailable("this process may pin ", PinnedLimitText(), " of memory, ", kLeastPinned,
                     " are needed: raise the limit (ulimit -l unlimited, or "
                     "LimitMEMLOCK=infinity in the service's unit)");
}

std::string GidText(const ibv_gid& gid) {
  char text[INET6_ADDRSTRLEN] = "";
  const bool ipv4 = IsIpv4(gid);
  inet_ntop(ipv4 ? AF_INET : AF_INET6, gid.raw + (ipv4 ? 12 : 0), text, sizeof(text));
  return text;
}

std::vector<ibv_gid> GidsOfTask(const std::string& address) {
  std::vector<ibv_gid> gids;
  addrinfo hints = {}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  const std::string host = HostOf(address);
  if (host.empty() || getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return gids;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    ibv_gid gid = {};
    if (one->ai_family == AF_INET) {
      gid.raw[10] = gid.raw[11] = 0xff;
      std::memcpy(gid.raw + 12, &reinterpret_cast<const sockaddr_in*>(one->ai_addr)->sin_addr, 4);
    } else if (one->ai_family == AF_INET6) {
      std::memcpy(gid.raw, &reinterpret_cast<const sockaddr_in6*>(one->ai_addr)->sin6_addr, 16);
    } else {
      continue;
    }
    gids.push_back(gid);
  }
  freeaddrinfo(found);
  return gids;
}

int GidFitness(const ibv_gid_entry& entry, const std::vector<ibv_gid>& addresses) {
  if (IsNull(entry.gid)) return 0;
  const int version = entry.gid_type == IBV_GID_TYPE_ROCE_V2 ? 5 : 0;
  return version + (Contains(addresses, entry.gid) ? 4
                    : IsIpv4(entry.gid)            ? 3
                    : IsLinkLocal(entry.gid)       ? 1
                                                   : 2);
}

// --- RdmaDomain ---

RdmaDomain::RdmaDomain(const Verbs& verbs, RdmaSettings settings, std::vector<ibv_gid> addresses)
    : verbs_(verbs),
      settings_(std::move(settings)),
      addresses_(std::move(addresses)),
      pinned_limit_(PinnedLimitOf(settings_)) {}

absl::StatusOr<std::shared_ptr<RdmaDomain>> RdmaDomain::Open(const Verbs& verbs,
                                                             const RdmaSettings& settings,
                                                             const std::string& address) {
  const std::vector<ibv_gid> addresses = GidsOfTask(address);
  int count = 0;
  ibv_device** list = verbs.get_device_list(&count);
  const int error = errno;
  if (list == nullptr) return Unavailable("ibv_get_device_list: ", strerror(error));
  absl::Status status = Unavailable("this machine has no RDMA device");
  if (count > 0 && !settings.device.empty())
    status = Unavailable("this machine has no RDMA device \"", settings.device, "\"");
  std::shared_ptr<RdmaDomain> found;
  for (int i = 0; i < count && (found == nullptr || !found->has_address()); ++i) {
    if (!settings.device.empty() && settings.device != verbs.get_device_name(list[i])) continue;
    std::shared_ptr<RdmaDomain> domain(new RdmaDomain(verbs, settings, addresses));
    const absl::Status opened = domain->OpenDevice(list[i]);
    if (opened.ok() && (found == nullptr || domain->has_address())) found = std::move(domain);
    if (!opened.ok()) status = opened;
  }
  verbs.free_device_list(list);
  if (found == nullptr) return status;
  found->how_ = !settings.device.empty() ? "--rdma_device"
                : found->has_address()   ? "found: the first with this task's address"
                                         : "found: the first active one";
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
  ethernet_ = port_state().attributes.link_layer == IBV_LINK_LAYER_ETHERNET;
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
    status = Refresh();
    if (status.ok()) return status;
  }
  return status;
}

absl::Status RdmaDomain::Refresh() {
  PortState now;
  if (const int error = verbs_.query_port(context_, port_, &now.attributes); error != 0)
    return Failed("ibv_query_port", error);
  if (now.attributes.state != IBV_PORT_ACTIVE)
    return Unavailable("port ", port_, " of device ", name_, " is not active");
  SLUICE_RETURN_IF_ERROR(ChooseGid(now));
  absl::MutexLock lock(&mu_);
  port_state_ = std::move(now);
  return absl::OkStatus();
}

absl::Status RdmaDomain::ChooseGid(PortState& port) const {
  const int given = settings_.gid_index;
  const bool by_lid = port.attributes.link_layer != IBV_LINK_LAYER_ETHERNET;
  if (by_lid && given < 0) return absl::OkStatus();
  int best = 0;
  for (int index = 0; index < std::min(port.attributes.gid_tbl_len, 256); ++index) {
    if (given >= 0 && given != index) continue;
    ibv_gid_entry entry = {};
    if (verbs_.query_gid_ex(context_, port_, static_cast<uint32_t>(index), &entry, 0,
                            sizeof(entry)) != 0)
      continue;  // an empty entry
    const int fitness = GidFitness(entry, addresses_);
    if (fitness <= best) continue;
    best = fitness;
    port.gid = entry.gid;
    port.gid_index = static_cast<uint8_t>(index);
    port.how = given >= 0                        ? "--rdma_gid_index"
               : Contains(addresses_, entry.gid) ? "found: this task's address"
                                                 : "found: the best of the table";
  }
  if (best > 0) return absl::OkStatus();
  if (given >= 0)
    return Unavailable("port ", port_, " of device ", name_, " has no GID ", given,
                       " (--rdma_gid_index)");
  return Unavailable("port ", port_, " of device ", name_,
                     " has no GID: its network interface has no address");
}

bool RdmaDomain::has_address() const { return Contains(addresses_, port_state().gid); }

RdmaDomain::PortState RdmaDomain::port_state() const {
  absl::MutexLock lock(&mu_);
  return port_state_;
}

uint8_t RdmaDomain::mtu() const {
  int mtu = port_state().attributes.active_mtu;
  while (settings_.mtu > 0 && mtu > IBV_MTU_256 && MtuBytes(mtu) > settings_.mtu) --mtu;
  return static_cast<uint8_t>(mtu);
}

bool RdmaDomain::TakePinned(size_t bytes) {
  size_t before = pinned_.load();
  do {
    if (bytes > pinned_limit_ - std::min(before, pinned_limit_)) return false;
  } while (!pinned_.compare_exchange_weak(before, before + bytes));
  return true;
}

std::string RdmaDomain::ToString() const {
  const PortState port = port_state();
  return ethernet() ? absl::StrCat(name_, " port ", port_, " GID ", port.gid_index)
                    : absl::StrCat(name_, " port ", port_, " LID ", port.attributes.lid);
}

std::vector<RdmaFact> RdmaDomain::Facts() const {
  const PortState port = port_state();
  std::vector<RdmaFact> facts = {
      {"device", name_, how_},
      {"port", absl::StrCat(port_),
       settings_.port > 0 ? "--rdma_port" : "found: the first active one"}};
  if (ethernet() || settings_.gid_index >= 0)
    facts.push_back({"GID", absl::StrCat(port.gid_index, ", ", GidText(port.gid)), port.how});
  if (!ethernet()) facts.push_back({"LID", absl::StrCat(port.attributes.lid), "of the port"});
  facts.push_back({"MTU", absl::StrCat(MtuBytes(mtu())),
                   mtu() < port.attributes.active_mtu ? "--rdma_mtu" : "of the port"});
  static const RdmaSettings kStandard;
  const auto add = [&](const char* name, int RdmaSettings::*field, const char* option) {
    const bool standard = settings_.*field == kStandard.*field;
    facts.push_back(
        {name, absl::StrCat(settings_.*field), standard ? "default" : absl::StrCat("--", option)});
  };
  add("service level", &RdmaSettings::service_level, "rdma_service_level");
  add("traffic class", &RdmaSettings::traffic_class, "rdma_traffic_class");
  add("time-out", &RdmaSettings::timeout, "rdma_timeout");
  add("retry count", &RdmaSettings::retry_count, "rdma_retry_count");
  facts.push_back({"pinned memory", absl::StrCat("at most ", pinned_limit_ >> 20, " MB"),
                   settings_.pinned_mb > 0 ? "--rdma_pinned_mb" : "half of the memory limit"});
  return facts;
}

absl::Status RdmaDomain::Failed(absl::string_view function, int error) const {
  return Unavailable("device ", name_, " port ", port_, ": ", function, ": ", strerror(error),
                     " (errno ", error, ")");
}

absl::StatusOr<Registration> Registration::Create(std::shared_ptr<RdmaDomain> domain, void* data,
                                                  size_t bytes, int access) {
  if (!domain->TakePinned(bytes))
    return ResourceExhausted("registering ", bytes, " bytes with ", domain->ToString(), ": ",
                             domain->pinned(), " are registered, the limit is ",
                             domain->pinned_limit(), " (--rdma_pinned_mb)");
  Registration made;
  made.domain_ = std::move(domain);
  made.bytes_ = bytes;
  made.mr_ = made.domain_->verbs().reg_mr(made.domain_->pd(), data, bytes, access);
  Add(TheRdmaCounters().registrations);
  if (made.mr_ != nullptr) return made;
  const absl::Status failed = made.domain_->Failed("ibv_reg_mr", errno);
  return ResourceExhausted(failed.message(), " for ", bytes, " bytes; this process may pin ",
                           PinnedLimitText(), " (ulimit -l)");
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
