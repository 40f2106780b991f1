// SPDX-License-Identifier: Apache-2.0
#include "tests/cluster/two_tasks.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

namespace sluice {

// Below the range of ports for outgoing connections.
int FreePort() {
  std::random_device random;
  for (int tries = 0; tries < 1000; ++tries) {
    const int port = 10000 + static_cast<int>(random() % 22000);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    const bool free = bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    close(fd);
    if (free) return port;
  }
  ADD_FAILURE() << "no port is free";
  return 0;
}

namespace {

client::Output Add(client::Graph& graph, absl::string_view op,
                   const std::vector<client::Output>& inputs, AttrMap attrs,
                   const client::Graph::NodeOptions& options) {
  auto node = graph.AddNode(op, inputs, std::move(attrs), options);
  if (!node.ok()) {
    ADD_FAILURE() << node.status();
    std::abort();
  }
  return {*node, 0};
}

}  // namespace

TwoTasks::TwoTasks(const master::SessionLimits& sessions, const std::string& transports) {
  auto cluster = server::ClusterSpec::Parse(absl::StrCat(
      R"({"ps": ["localhost:)", FreePort(), R"("], "worker": ["localhost:)", FreePort(), R"("]})"));
  EXPECT_TRUE(cluster.ok()) << cluster.status();
  const auto start = [&](const char* job) {
    server::ServerOptions options;
    options.cluster = *cluster;
    options.job = job;
    options.inter_op_threads = 2;
    options.intra_op_threads = 1;
    options.sessions = sessions;
    options.transport = transports;
    auto server = server::Server::Start(options);
    EXPECT_TRUE(server.ok()) << server.status();
    return server.ok() ? *std::move(server) : nullptr;
  };
  ps_ = start("ps");
  worker_ = start("worker");
}

std::unique_ptr<client::Graph> SmallGraph() {
  auto graph = std::make_unique<client::Graph>();
  const std::string ps = "/job:ps/task:0", worker = "/job:worker/task:0";
  const AttrMap scalar = {{"dtype", kFloat}, {"shape", PartialShape(Shape())}};
  const client::Output x = Add(*graph, "Placeholder", {}, scalar, {"x"});
  const client::Output y = Add(*graph, "Placeholder", {}, scalar, {"y"});
  const client::Output sum = Add(*graph, "Add", {x, y}, {}, {"sum", ps});
  Add(*graph, "Mul", {sum, y}, {}, {"product", worker});
  const client::Output v = Add(*graph, "VariableV2", {}, scalar, {"v", ps});
  Add(*graph, "Assign", {v, x}, {}, {"set", ps});
  Add(*graph, "Identity", {v}, {}, {"read", ps});
  return graph;
}

}  // namespace sluice
