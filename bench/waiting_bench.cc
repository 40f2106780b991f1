// SPDX-License-Identifier: Apache-2.0
// Ten thousand waiting dequeues: the time until a cancelled step has ended, for steps with one
// dequeue each, all at once, and for one step with all of them; and the number of waiting threads.
//
// First the queue's own task is measured, in this process: a step has ended when its dequeue has.
// Then a client measures over loopback, with the queue on another task than the master: the user's
// view.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/time/clock.h"
#include "bench/free_port.h"
#include "client/graph.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "server/server.h"
#include "transport/master_api.h"
#include "transport/pending_reply.h"
#include "transport/rpc/connect.h"

namespace sluice {
namespace {

constexpr int kWaiting = 10'000;

void Check(const absl::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "waiting_bench: %s: %s\n", what, status.ToString().c_str());
  std::exit(1);
}

long Threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

// A queue on the ps that stays empty. "take": one dequeue; "all": `kWaiting` of them.
std::shared_ptr<const proto::GraphDef> QueueGraph() {
  client::Graph graph;
  auto add = [&](absl::string_view op, const std::vector<client::Output>& inputs, AttrMap attrs,
                 client::Graph::NodeOptions options) {
    options.device = "/job:ps/task:0";
    auto node = graph.AddNode(op, inputs, std::move(attrs), options);
    Check(node.status(), "building the graph");
    return *node;
  };
  const std::vector<DType> types = {kFloat};
  graph::Node* queue =
      add("FIFOQueueV2", {},
          {{"component_types", types}, {"shapes", std::vector<PartialShape>{Shape()}}}, {"queue"});
  auto take = [&](const std::string& name) {
    return add("QueueDequeueV2", {{queue, 0}}, {{"component_types", types}}, {name});
  };
  take("take");
  std::vector<graph::Node*> all;
  all.reserve(kWaiting);
  for (int i = 0; i < kWaiting; ++i) all.push_back(take(absl::StrCat("take_", i)));
  add("NoOp", {}, {}, {"all", "", all});
  auto def = std::make_shared<proto::GraphDef>();
  Check(graph.Export(0, def.get()), "exporting the graph");
  return def;
}

// A waiting step: the times when it was cancelled, and when it had ended.
struct Step {
  CancelToken cancel;
  absl::Time cancelled, ended;
  absl::Status status;
};

void Print(const char* what, const std::deque<Step>& steps) {
  std::vector<double> ms;
  for (const Step& step : steps) {
    if (absl::IsCancelled(step.status))
      ms.push_back(absl::ToDoubleMilliseconds(step.ended - step.cancelled));
  }
  std::sort(ms.begin(), ms.end());
  if (ms.size() != steps.size())
    std::printf("%zu steps ended otherwise\n", steps.size() - ms.size());
  if (ms.empty()) return;
  std::printf("%s: median %.2f ms, 99 of 100 within %.2f ms, all %zu within %.2f ms\n", what,
              ms[ms.size() / 2], ms[ms.size() * 99 / 100], ms.size(), ms.back());
}

class Cluster {
 public:
  // The master is the one of the queue's task, or one over the network.
  explicit Cluster(bool remote) {
    const std::string spec = absl::StrCat("{\"ps\":[\"localhost:", FreePort(),
                                          "\"],\"worker\":[\"localhost:", FreePort(), "\"]}");
    for (const char* job : {"ps", "worker"}) {
      server::ServerOptions options;
      options.cluster = *server::ClusterSpec::Parse(spec);
      options.job = job;
      auto server = server::Server::Start(options);
      Check(server.status(), "starting a task");
      tasks_.push_back(*std::move(server));
    }
    master_ = &tasks_[0]->master();
    if (remote) {
      auto master = transport::ConnectGrpcMaster(tasks_[1]->target());
      Check(master.status(), "connecting");
      remote_ = *std::move(master);
      master_ = remote_.get();
    }
    transport::PendingReply<transport::CreateSessionResult> created;
    master_->CreateSession({QueueGraph(), std::make_shared<proto::ConfigProto>(), ""}, {},
                           created.reply());
    auto session = created.Wait();
    Check(session.status(), "opening a session");
    session_ = session->session;
  }

  // Starts a step for each, and returns when all wait.
  void Begin(const char* target, std::deque<Step>& steps, absl::BlockingCounter& left) {
    for (Step& step : steps) {
      transport::CallOptions options;
      options.cancel = &step.cancel;
      master_->RunStep({session_, {}, {}, {target}, {}}, options,
                       [&](const absl::StatusOr<transport::RunStepResult>& result) {
                         step.ended = absl::Now();
                         step.status = result.status();
                         left.DecrementCount();
                       });
    }
    absl::SleepFor(absl::Seconds(3));
  }

 private:
  std::vector<std::unique_ptr<server::Server>> tasks_;
  std::unique_ptr<transport::MasterApi> remote_;
  transport::MasterApi* master_;  // remote_, or that of tasks_[0]
  std::string session_;
};

void End(Step& step) {
  step.cancelled = absl::Now();
  step.cancel.Cancel(absl::CancelledError("the client goes away"));
}

void Measure(Cluster& cluster, const char* what, const char* target, int count,
             absl::Duration pause) {
  std::deque<Step> steps(count);
  absl::BlockingCounter left(count);
  cluster.Begin(target, steps, left);
  const long threads = Threads();
  for (Step& step : steps) {
    End(step);
    if (pause > absl::ZeroDuration()) absl::SleepFor(pause);
  }
  left.Wait();
  Print(what, steps);
  std::printf("  %ld threads while they waited\n", threads);
}

}  // namespace
}  // namespace sluice

int main() {
  using namespace sluice;  // NOLINT: a program's main
  for (const bool remote : {false, true}) {
    Cluster cluster(remote);
    std::printf("%s, %ld threads\n", remote ? "over the network" : "in the queue's task",
                Threads());
    Measure(cluster, "10,000 steps, one after the other", "take", kWaiting,
            absl::Microseconds(200));
    Measure(cluster, "10,000 steps, all at once", "take", kWaiting, absl::ZeroDuration());
    Measure(cluster, "one step of 10,000 dequeues", "all", 1, absl::ZeroDuration());
  }
}
