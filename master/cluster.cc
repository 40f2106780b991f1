// SPDX-License-Identifier: Apache-2.0
#include "master/cluster.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "core/log.h"
#include "master/pending_replies.h"
#include "transport/credentials.h"
#include "transport/missing_tasks.h"
#include "transport/tensorflow_server.h"

namespace sluice::master {
namespace {

constexpr absl::Duration kRetryAfter = absl::Milliseconds(100);
constexpr absl::Duration kReportEvery = absl::Seconds(5);

// A missing part of either side matches.
bool Intersects(const DeviceName& filter, const DeviceName& task) {
  return (!filter.job || *filter.job == *task.job) &&
         (!filter.replica || *filter.replica == task.replica.value_or(0)) &&
         (!filter.task || *filter.task == *task.task);
}

void Rename(const std::string& task, transport::TaskStatus& status) {
  for (DeviceAttributes& device : status.devices)
    device.name = absl::StrCat(task, absl::StripPrefix(device.name, status.task));
  status.task = task;
}

}  // namespace

Cluster::Cluster(Options options) : options_(std::move(options)) {}

absl::StatusOr<std::vector<std::string>> Cluster::Tasks(
    const std::vector<std::string>& device_filters) const {
  std::vector<DeviceName> filters;
  for (const std::string& text : device_filters) {
    auto parsed = DeviceName::Parse(text);
    if (!parsed.ok())
      return InvalidArgument("device filter \"", text, "\": ", parsed.status().message());
    filters.push_back(*std::move(parsed));
  }
  std::vector<std::string> others;
  for (const auto& peer : options_.peers) {
    SLUICE_ASSIGN(const DeviceName task, DeviceName::Parse(peer.task));
    const bool wanted =
        filters.empty() || std::any_of(filters.begin(), filters.end(),
                                       [&](const DeviceName& f) { return Intersects(f, task); });
    if (wanted && peer.task != options_.task) others.push_back(peer.task);
  }
  std::sort(others.begin(), others.end());
  others.insert(others.begin(), options_.task);
  return others;
}

std::vector<std::pair<std::string, std::string>> Cluster::Addresses() const {
  std::vector<std::pair<std::string, std::string>> all = {{options_.task, options_.address}};
  for (const auto& peer : options_.peers) all.emplace_back(peer.task, peer.address);
  return all;
}

absl::Status Cluster::CheckTask(absl::string_view task) const {
  std::vector<std::string> names;
  for (const auto& [name, address] : Addresses()) names.push_back(name);
  if (std::find(names.begin(), names.end(), task) != names.end()) return absl::OkStatus();
  std::sort(names.begin(), names.end());
  return InvalidArgument("the cluster has no task ", task, "; its tasks are ",
                         absl::StrJoin(names, ", "));
}

std::string Cluster::AddressOf(absl::string_view task) const {
  for (const auto& peer : options_.peers) {
    if (peer.task == task) return peer.address;
  }
  return "this process";
}

absl::StatusOr<transport::WorkerApi*> Cluster::Worker(absl::string_view task) {
  if (task == options_.task) return options_.worker;
  absl::MutexLock lock(&mu_);
  auto it = workers_.find(task);
  if (it != workers_.end()) return it->second.get();
  for (const auto& peer : options_.peers) {
    if (peer.task != task) continue;
    if (options_.connector == nullptr) break;
    SLUICE_ASSIGN(auto worker, options_.connector->ConnectWorker(peer));
    return workers_.emplace(peer.task, std::move(worker)).first->second.get();
  }
  return InvalidArgument("the cluster has no task ", task);
}

absl::StatusOr<std::vector<transport::TaskStatus>> Cluster::AwaitTasks(
    const std::vector<std::string>& tasks, absl::Time deadline, CancelToken* cancel, bool report) {
  std::vector<absl::StatusOr<transport::TaskStatus>> answers(tasks.size(),
                                                             absl::UnknownError("no answer"));
  const absl::Time begin = absl::Now();
  absl::Time next_report = report ? begin + kReportEvery : absl::InfiniteFuture();
  while (true) {
    PendingReplies<transport::TaskStatus> gather(tasks.size());
    transport::CallOptions options;
    options.deadline = std::min(deadline, absl::Now() + absl::Seconds(10));
    options.cancel = cancel;
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (answers[i].ok()) {
        gather.Put(i, answers[i]);
        continue;
      }
      auto worker = Worker(tasks[i]);
      if (worker.ok())
        (*worker)->GetStatus(options, gather.Reply(i));
      else
        gather.Put(i, worker.status());
    }
    answers = gather.Wait();
    std::vector<transport::MissingTask> silent;
    std::vector<std::string> tensorflow;
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (answers[i].ok() && options_.rename) Rename(tasks[i], *answers[i]);
      if (answers[i].ok() && answers[i]->task != tasks[i]) {
        answers[i] = FailedPrecondition("the server there is ", answers[i]->task,
                                        ": two tasks differ about the cluster");
      }
      if (transport::IsTensorFlowServer(answers[i].status())) {
        tensorflow.push_back(absl::StrCat("task ", tasks[i], " at ", AddressOf(tasks[i])));
        continue;
      }
      // These two errors are permanent.
      if (absl::IsUnauthenticated(answers[i].status())) return answers[i].status();
      if (transport::IsDistrust(answers[i].status()))
        return FailedPrecondition(answers[i].status().message());
      if (!answers[i].ok()) {
        silent.push_back({tasks[i], AddressOf(tasks[i]), answers[i].status()});
      }
    }
    if (!tensorflow.empty()) return transport::MixedCluster(tensorflow, options_.task);
    if (silent.empty()) break;
    if (cancel != nullptr && cancel->cancelled()) return cancel->status();
    const absl::Status missing = transport::TasksMissing(silent, tasks.size());
    if (absl::Now() + kRetryAfter >= deadline) return missing;
    if (absl::Now() >= next_report) {
      Log(LogLevel::kWarning, "waiting for ", transport::NamesOfMissingTasks(missing), ", ",
          absl::ToInt64Seconds(absl::Now() - begin), " s; ", missing.message());
      next_report += kReportEvery;
    }
    absl::SleepFor(kRetryAfter);
  }
  std::vector<transport::TaskStatus> ready;
  for (auto& answer : answers) ready.push_back(*std::move(answer));
  return ready;
}

}  // namespace sluice::master
