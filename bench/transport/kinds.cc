// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/kinds.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "bench/transport/channel_task.h"
#include "bench/transport/channels.h"
#include "bench/transport/far_process.h"
#include "bench/transport/grpc_peers.h"
#include "bench/transport/memory.h"
#include "bench/transport/runtime.h"
#include "bench/transport/sockets.h"
#include "core/status.h"
#include "transport/selection/transport_table.h"

namespace sluice::bench {

namespace {

constexpr absl::string_view kRuntimePrefix = "runtime-";
constexpr absl::string_view kOfDevice = "rdma";  // most machines do not have it
constexpr char kDevices[] = "/sys/class/infiniband";

// Competitors of a transport: other ways to move the same bytes.
std::vector<Kind> PeersOf(absl::string_view transport) {
  if (transport == "tcp")
    return {{"raw-tcp", "peer", true}, {absl::StrCat("tcp", kUnsummedSuffix), "channel", false}};
  if (transport == "shm")
    return {{"unix", "peer", true}, {"spin", "peer", false}, {"memcpy", "peer", false}};
  if (transport == "grpc") return {{"grpc-stream", "peer", true}, {"grpc-unary", "peer", true}};
  return {};
}

}  // namespace

// In the order of their turns, so that compared kinds run close together.
const std::vector<Kind>& AllKinds() {
  static const auto* const kinds = [] {
    auto* all = new std::vector<Kind>;
    for (const transport::TransportRow& row : transport::AllTransports()) {
      if (row.one_process) continue;
      for (Kind& peer : PeersOf(row.name)) all->push_back(std::move(peer));
      all->push_back({row.name, "channel", true});
      if (row.polls) all->push_back({absl::StrCat(row.name, kSpinSuffix), "channel", false});
      // Servers that may use only a missing transport would wait for it.
      if (row.name != kOfDevice || access(kDevices, F_OK) == 0)
        all->push_back({absl::StrCat(kRuntimePrefix, row.name), "runtime", false});
    }
    return all;
  }();
  return *kinds;
}

absl::StatusOr<std::vector<Kind>> ParseKinds(const std::string& names) {
  if (names.empty()) return AllKinds();
  const std::vector<std::string> wanted = absl::StrSplit(names, ',');
  std::vector<Kind> kinds;
  for (const Kind& kind : AllKinds()) {
    if (std::find(wanted.begin(), wanted.end(), kind.name) != wanted.end()) kinds.push_back(kind);
  }
  if (kinds.size() == wanted.size()) return kinds;
  return InvalidArgument("not all of \"", names, "\" are transports, each once; there are ",
                         absl::StrJoin(AllKinds(), ", ", [](std::string* out, const Kind& kind) {
                           out->append(kind.name);
                         }));
}

absl::StatusOr<std::unique_ptr<Contender>> CreateContender(const std::string& kind, FarProcess& far,
                                                           const ContenderOptions& options) {
  absl::string_view transport = kind;
  if (absl::ConsumePrefix(&transport, kRuntimePrefix))
    return CreateRuntimeContender(std::string(transport), far);
  if (kind == "raw-tcp") return CreateTcpSockets(far, options.connections);
  if (kind == "unix") return CreateUnixSockets(far);
  if (kind == "spin") return CreateSpin(far);
  if (kind == "memcpy") return CreateMemcpy();
  if (kind == "grpc-stream") return CreateGrpcPeer(far, /*streaming=*/true);
  if (kind == "grpc-unary") return CreateGrpcPeer(far, /*streaming=*/false);
  return CreateChannelContender(kind, far, options.connections);
}

absl::StatusOr<std::unique_ptr<Responder>> CreateResponder(
    const std::string& kind, const FarSide& side, const std::vector<std::string>& arguments) {
  absl::string_view transport = kind;
  if (absl::ConsumePrefix(&transport, kRuntimePrefix))
    return CreateRuntimeResponder(std::string(transport), side, arguments);
  if (kind == "raw-tcp") {
    int connections = 0;
    if (arguments.empty() || !absl::SimpleAtoi(arguments[0], &connections))
      return InvalidArgument("the number of connections is missing");
    return CreateTcpResponder(side.own_host, connections);
  }
  if (kind == "unix") return CreateUnixResponder();
  if (kind == "spin") return CreateSpinResponder(side.slot);
  if (kind == "grpc-stream" || kind == "grpc-unary") return CreateGrpcResponder(side.own_host);
  return CreateChannelResponder(kind, side, arguments);
}

}  // namespace sluice::bench
