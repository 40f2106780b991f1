// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "bench/collectives/measure.h"
#include "bench/collectives/member.h"
#include "bench/transport/check.h"
#include "bench/transport/payload.h"
#include "core/log.h"
#include "transport/rpc/server.h"
#include "worker_service/groups/algorithms.h"

ABSL_FLAG(std::string, op, "all_reduce",
          "operations, separated by commas: all_reduce, all_gather, broadcast, reduce_scatter, "
          "all_to_all");
ABSL_FLAG(std::string, sizes, "4:256M", "bytes: \"4,4K,64M\", or \"4:256M\" by fours");
ABSL_FLAG(std::string, members, "2,4", "numbers of members");
ABSL_FLAG(std::string, algorithm, "auto", "of Sluice: auto, or a name");
ABSL_FLAG(std::string, transports, "shm,tcp", "between the members");
ABSL_FLAG(std::string, contenders, "sluice,gloo,mpi", "those to be compared");
ABSL_FLAG(int, rounds, 7, "in each of which every contender has its turn");
ABSL_FLAG(double, seconds, 0.02, "of one contender in one round");
ABSL_FLAG(bool, tune, false, "measure all algorithms of Sluice on one host and on several");
// Of a member process.
ABSL_FLAG(std::string, member, "", "set by this program: the contender");
ABSL_FLAG(int, rank, 0, "set by this program");
ABSL_FLAG(int, hosts, 1, "set by this program");
ABSL_FLAG(std::string, addresses, "", "set by this program");
ABSL_FLAG(std::string, folder, "", "set by this program");

namespace sluice::bench::collectives {
namespace {

std::vector<std::string> Split(const std::string& text) {
  return absl::StrSplit(text, ',', absl::SkipEmpty());
}

void ServeAsMember() {
  MemberOptions options;
  options.contender = absl::GetFlag(FLAGS_member);
  options.transport = absl::GetFlag(FLAGS_transports);
  options.rank = absl::GetFlag(FLAGS_rank);
  options.hosts = absl::GetFlag(FLAGS_hosts);
  options.addresses = Split(absl::GetFlag(FLAGS_addresses));
  options.members = static_cast<int>(options.addresses.size());
  options.folder = absl::GetFlag(FLAGS_folder);
  const auto contender =
      options.contender == "sluice" ? CreateTaskContender(options) : CreateGlooContender(options);
  Check(contender != nullptr, "making a member of " + options.contender);
  ServeMember(options.folder, options.rank, *contender);
}

// Gloo has no shared memory here.
std::vector<GangKind> ReadKinds() {
  const std::vector<std::string> transports = Split(absl::GetFlag(FLAGS_transports));
  std::vector<GangKind> kinds;
  for (const std::string& contender : Split(absl::GetFlag(FLAGS_contenders))) {
    Check(contender == "sluice" || contender == "gloo" || contender == "mpi",
          "reading --contenders: sluice, gloo, mpi; this");
    if (contender == "gloo") {
      kinds.push_back({contender, "tcp"});
      continue;
    }
    for (const std::string& transport : transports) kinds.push_back({contender, transport});
  }
  for (const std::string& transport : transports)
    Check(transport == "shm" || transport == "tcp", "reading --transports: shm, tcp; this");
  Check(!kinds.empty(), "finding a contender in the options");
  return kinds;
}

Plan ReadPlan() {
  Plan plan;
  plan.tune = absl::GetFlag(FLAGS_tune);
  plan.algorithm = absl::GetFlag(FLAGS_algorithm);
  for (const std::string& name : Split(absl::GetFlag(FLAGS_op))) {
    plan.ops.push_back(Checked(ParseOp(name), "reading --op"));
    const absl::Status known = worker::CheckHint(plan.ops.back(), plan.algorithm);
    Check(known.ok(), "reading --algorithm: " + known.ToString());
  }
  plan.sizes = Checked(ParseSizes(absl::GetFlag(FLAGS_sizes)), "reading --sizes");
  for (const std::string& text : Split(absl::GetFlag(FLAGS_members))) {
    int members = 0;
    Check(absl::SimpleAtoi(text, &members) && members > 1 && members <= 64,
          "reading --members: numbers from 2 to 64; this");
    plan.members.push_back(members);
  }
  plan.kinds = ReadKinds();
  plan.rounds = absl::GetFlag(FLAGS_rounds);
  plan.seconds = absl::GetFlag(FLAGS_seconds);
  Check(plan.rounds > 0 && plan.seconds > 0, "finding positive numbers in the options");
  return plan;
}

void Main() {
  SetLogLevel(LogLevel::kError);
  if (absl::GetFlag(FLAGS_member).empty()) return Measure(ReadPlan());
  transport::TuneMalloc();
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);  // as a server does
  ServeAsMember();
}

}  // namespace
}  // namespace sluice::bench::collectives

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("compares collective operations; docs/collectives.md");
  absl::ParseCommandLine(argc, argv);
  sluice::bench::collectives::Main();
}
