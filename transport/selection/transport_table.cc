// SPDX-License-Identifier: Apache-2.0
#include "transport/selection/transport_table.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/threads/thread_pool.h"
#include "transport/backends/grpc/transport.h"
#include "transport/backends/inproc/transport.h"
#include "transport/backends/rdma/transport.h"
#include "transport/backends/shm/transport.h"
#include "transport/backends/tcp/transport.h"

namespace sluice::transport {
namespace {

using Created = absl::StatusOr<std::unique_ptr<Transport>>;

Created Inproc(const TransportContext& context) {
  return CreateInprocTransport({.self = context.self, .loop = context.poll});
}

Created Shm(const TransportContext& context) {
  return CreateShmTransport(
      {.self = context.self, .loop = context.poll, .copier = CreateThreadPool(1, "shm-copier")});
}

Created Rdma(const TransportContext& context) {
  RdmaTransportOptions options{.self = context.self, .loop = context.poll};
  options.address = context.address;
  options.tls = context.credentials.tls();
  options.settings = context.rdma;
  options.limits = context.limits;
  if (!context.bind_host.empty()) options.bind_host = context.bind_host;
  return CreateRdmaTransport(options);
}

Created Tcp(const TransportContext& context) {
  TcpTransportOptions options{.self = context.self, .loop = context.poll};
  options.limits = context.limits;
  if (context.credentials.tls()) {
    SLUICE_ASSIGN(options.tls, CreateTls(context.credentials));
  }
  if (!context.bind_host.empty()) options.bind_host = context.bind_host;
  if (context.connections > 0) options.connections = context.connections;
  return CreateTcpTransport(options);
}

Created Grpc(const TransportContext& context) {
  return CreateGrpcTransport(
      {.self = context.self, .loop = context.events, .credentials = context.credentials});
}

TransportNames AllNames() {
  TransportNames names;
  for (const TransportRow& row : AllTransports()) names.emplace_back(row.name);
  return names;
}

}  // namespace

absl::Span<const TransportRow> AllTransports() {
  static constexpr TransportRow kRows[] = {
      {"inproc", "by reference, between servers of one process", true, true, Inproc},
      {"shm", "shared memory, between tasks of one machine", false, true, Shm},
      {"rdma", "RDMA over InfiniBand or RoCE v2", false, true, Rdma},
      {"tcp", "TCP, with TLS if the cluster has it", false, true, Tcp},
      {"grpc", "gRPC over TCP, between any two tasks", false, false, Grpc},
  };
  return kRows;
}

bool Has(const TransportNames& names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

absl::StatusOr<TransportNames> ParseTransports(const std::string& text) {
  const TransportNames all = AllNames();
  if (text.empty() || text == "auto") return all;
  TransportNames named, forbidden;
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    TransportNames& to = absl::ConsumePrefix(&item, "-") ? forbidden : named;
    if (!Has(all, item))
      return InvalidArgument("there is no transport \"", item, "\"; there are ",
                             absl::StrJoin(all, ", "));
    if (!Has(to, item)) to.emplace_back(item);
  }
  TransportNames transports = named.empty() ? all : named;
  std::erase_if(transports, [&](const std::string& name) { return Has(forbidden, name); });
  if (transports.empty()) return InvalidArgument("\"", text, "\" leaves no transport");
  return transports;
}

}  // namespace sluice::transport
