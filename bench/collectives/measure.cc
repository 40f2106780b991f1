// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/measure.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/transport/check.h"
#include "bench/transport/clock.h"
#include "bench/transport/usage.h"
#include "core/status.h"
#include "worker_service/groups/algorithms.h"

namespace sluice::bench::collectives {
namespace {

constexpr int64_t kKeptBytes = 16 << 20;  // larger operands are in memory only for their turn
constexpr int kFewTimes = 5, kMostTimes = 2000;

// A contender with one of its algorithms, and its measurements.
struct Entry {
  Gang* gang;  // outlives it
  std::string algorithm;
  int times = 0;                    // operations in a turn; 0: not known yet
  std::vector<double> rounds = {};  // seconds of one operation
  double moved = 0;                 // bytes of the larger operand of one member
  double wall = 0, cpu = 0, busy = 0;
};

void Print(const nlohmann::json& line) { std::cout << line.dump() << std::endl; }

// --- what is measured ---

std::vector<std::string> AlgorithmsFor(const Gang& gang, CollectiveOp op, const Plan& plan) {
  if (gang.kind().contender == "sluice")
    return plan.tune ? worker::AlgorithmsOf(op) : std::vector<std::string>{plan.algorithm};
  if (gang.kind().contender == "gloo" && op == CollectiveOp::kAllReduce)
    return {"ring", "halving_doubling", "bcube"};
  return {""};
}

// Numbers of hosts that the members are on: one; two in a group; as many as members.
std::vector<int> HostMaps(int members, const Plan& plan) {
  if (!plan.tune) return {1};
  if (members < 4) return {1, members};
  return {1, members / 2, members};
}

std::vector<GangKind> KindsFor(const Plan& plan) {
  if (!plan.tune) return plan.kinds;
  return {{"sluice", "shm"}};  // between hosts TCP
}

// --- measuring ---

// The operation is loaded.
void TakeTurn(Entry& entry, const Workload& work, const Plan& plan) {
  if (entry.times == 0) {
    double one = entry.gang->Run(1).seconds;
    if (one < plan.seconds) one = entry.gang->Run(kFewTimes).seconds / kFewTimes;
    entry.times = static_cast<int>(std::clamp<double>(plan.seconds / one, 1, kMostTimes));
  }
  const Usage before = UsedHere();
  const double start = Now();
  const Gang::Turn turn = entry.gang->Run(entry.times);
  const Usage used = UsedHere() - before;
  entry.wall += Now() - start;
  entry.cpu += turn.cpu + used.own;
  entry.busy += used.busy;
  entry.moved += static_cast<double>(entry.times + 1) * static_cast<double>(work.bytes());
  entry.rounds.push_back(turn.seconds / entry.times);
}

void Report(const Entry& entry, const Workload& work, int hosts) {
  Print({{"line", "figure"},
         {"op", OpName(work.op)},
         {"contender", entry.gang->kind().contender},
         {"transport", entry.gang->kind().transport},
         {"algorithm", entry.algorithm},
         {"members", work.members},
         {"hosts", hosts},
         {"bytes", work.bytes()},
         {"rounds", entry.rounds},
         {"moved_bytes", entry.moved},
         {"wall_seconds", entry.wall},
         {"cpu_seconds", entry.cpu},
         {"busy_seconds", entry.busy}});
}

// Several entries may share a gang, which holds one operation at a time.
bool KeepsLoaded(const std::vector<Entry>& entries, const Entry& entry, const Workload& work) {
  const auto same = [&](const Entry& other) { return other.gang == entry.gang; };
  return work.bytes() <= kKeptBytes && std::count_if(entries.begin(), entries.end(), same) == 1;
}

void MeasureWorkload(const std::vector<std::unique_ptr<Gang>>& gangs, const Workload& work,
                     int hosts, const Plan& plan) {
  std::vector<Entry> entries;
  for (const auto& gang : gangs) {
    for (const std::string& algorithm : AlgorithmsFor(*gang, work.op, plan)) {
      const absl::Status loaded = gang->Load(work, algorithm);
      if (loaded.ok())
        entries.push_back({.gang = gang.get(), .algorithm = algorithm});
      else
        Print({{"line", "missing"},
               {"contender", gang->kind().contender + " " + algorithm},
               {"transport", gang->kind().transport},
               {"why", loaded.message()}});
    }
  }
  for (int round = 0; round < plan.rounds; ++round) {
    for (size_t i = 0; i < entries.size(); ++i) {
      Entry& entry = entries[round % 2 == 0 ? i : entries.size() - 1 - i];
      const bool kept = KeepsLoaded(entries, entry, work);
      if (!kept) Check(entry.gang->Load(work, entry.algorithm).ok(), "loading again");
      TakeTurn(entry, work, plan);
      if (round + 1 == plan.rounds) entry.gang->CheckResult();
      if (!kept) entry.gang->Unload();
    }
  }
  for (const Entry& entry : entries) Report(entry, work, hosts);
  for (const auto& gang : gangs) gang->Unload();
}

std::vector<std::unique_ptr<Gang>> StartAll(int members, int hosts, const Plan& plan) {
  std::vector<std::unique_ptr<Gang>> gangs;
  for (const GangKind& kind : KindsFor(plan)) {
    auto started = Gang::Start(kind, members, hosts);
    if (started.ok())
      gangs.push_back(*std::move(started));
    else
      Print({{"line", "missing"},
             {"contender", kind.contender},
             {"transport", kind.transport},
             {"why", started.status().message()}});
  }
  return gangs;
}

}  // namespace

void Measure(const Plan& plan) {
  Print({{"line", "setting"},
         {"rounds", plan.rounds},
         {"seconds", plan.seconds},
         {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
         {"tune", plan.tune}});
  for (int members : plan.members) {
    for (int hosts : HostMaps(members, plan)) {
      const auto gangs = StartAll(members, hosts, plan);
      for (CollectiveOp op : plan.ops) {
        for (int64_t size : plan.sizes)
          MeasureWorkload(gangs, WorkloadOf(op, members, size), hosts, plan);
      }
    }
  }
}

}  // namespace sluice::bench::collectives
