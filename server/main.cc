// SPDX-License-Identifier: Apache-2.0
// sluice-server: one task of a cluster, until SIGTERM or SIGINT.

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "core/device/gpu_devices.h"
#include "core/log.h"
#include "core/tensor/memory_budget.h"
#include "core/tensor/resident_memory.h"
#include "server/await_end.h"
#include "server/command_line.h"
#include "server/descriptor_limit.h"
#include "server/op_list.h"
#include "server/server.h"
#include "server/short_slices.h"
#include "server/write_signals.h"
#include "transport/backends/rdma/report.h"
#include "transport/options_table.h"
#include "transport/rpc/server.h"

namespace sluice::server {
namespace {

constexpr unsigned kStopSeconds = 10;  // after SIGTERM
// After SIGTERM, for the kernels that are in a GPU's streams: no call ends them, but the end of the
// process does.
constexpr absl::Duration kGpuStops = absl::Seconds(2);
constexpr absl::Duration kLookAgain = absl::Milliseconds(100);
constexpr int kFailed = 1, kWrongUsage = 2, kLostGpu = 3;
// After the loss of a GPU: for the answers of the running steps.
constexpr absl::Duration kAnswers = absl::Seconds(1);

// The stream for the reason why the server does not start. A program that starts a server reads the
// first line of its standard output.
std::ostream* refusals = &std::cerr;

int Refuse(const absl::Status& status, int exit_code) {
  *refusals << "sluice-server: " << status.message() << std::endl;
  return exit_code;
}

int Print(const std::string& text) {
  std::cout << text << std::flush;
  return std::cout.good() ? 0 : kFailed;
}

int PrintRdmaReport(const ServerOptions& options) {
  const auto address = options.cluster.Address(options.job, options.task);
  const transport::RdmaReport report =
      transport::ReportRdma(options.rdma, address.ok() ? *address : "");
  const int printed = Print(report.text);
  return report.works ? printed : kFailed;
}

absl::Status ConfigureLogOf(const CommandLine& line) {
  SLUICE_RETURN_IF_ERROR(ConfigureLog(LogLevel::kInfo, line.log_level));
  return line.log_file.empty() ? absl::OkStatus() : SetLogFile(line.log_file);
}

// No call to a lost GPU succeeds in this process, so the process ends: what starts it again gets a
// GPU that works.
std::atomic<bool> gpu_is_lost{false};

ServerOptions EndsOnLostGpu(ServerOptions options) {
  options.gpus.on_lost = [](const absl::Status&) {
    gpu_is_lost = true;
    kill(getpid(), SIGTERM);  // for AwaitEnd
  };
  return options;
}

// Ends a process whose end takes too long because of a GPU.
void EndInTime(const std::string& task, int exit_code) {
  std::thread([task, exit_code] {
    for (absl::Duration wait = kGpuStops;; wait = kLookAgain) {
      absl::SleepFor(wait);
      const std::vector<std::string> busy = BusyGpus();
      if (busy.empty()) continue;
      Log(LogLevel::kWarning, task, " ends while kernels run on ", absl::StrJoin(busy, ", "));
      _exit(exit_code);
    }
  }).detach();
}

int Serve(const CommandLine& line) {
  IgnoreWriteSignals();
  RaiseDescriptorLimit();
  UseShortSlices();
  // sigwait below receives the signals. Threads that start from here on have them blocked.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  SetMemoryLimit(line.memory_limit > 0 ? line.memory_limit : MachineMemory() / 10 * 9);
  CountResidentMemory();
  transport::TuneMalloc();
  if (const absl::Status status = ConfigureLogOf(line); !status.ok())
    return Refuse(status, kWrongUsage);
  if (const absl::Status status = SetFilePolicy(line.files); !status.ok())
    return Refuse(status, kWrongUsage);
  auto server = Server::Start(EndsOnLostGpu(line.options));
  if (!server.ok())
    return Refuse(server.status(),
                  absl::IsInvalidArgument(server.status()) ? kWrongUsage : kFailed);
  std::cout << (*server)->task() << " listens at " << (*server)->target() << std::endl;
  const std::string reason = AwaitEnd(signals, line.parent);
  const bool lost = gpu_is_lost;
  Log(LogLevel::kInfo, (*server)->task(), " stops on ", lost ? "the loss of a GPU" : reason);
  alarm(kStopSeconds);  // ends a process that a kernel blocks
  const int exit_code = lost ? kLostGpu : 0;
  EndInTime((*server)->task(), exit_code);
  if (lost) absl::SleepFor(kAnswers);
  (*server)->Stop();
  return exit_code;
}

int Main(const std::vector<std::string>& arguments) {
  // Before parsing, so that invalid arguments are reported there too.
  for (const std::string& argument : arguments) {
    if (absl::StartsWith(argument, "--parent=")) refusals = &std::cout;
  }
  const auto line = CommandLine::Parse(arguments, std::getenv("TF_CONFIG"));
  if (!line.ok()) return Refuse(line.status(), kWrongUsage);
  switch (line->action) {
    case CommandLine::Action::kPrintText:
      return Print(line->text);
    case CommandLine::Action::kListOps:
      return Print(ListOps());
    case CommandLine::Action::kOpPage:
      return Print(OpsAsMarkdown());
    case CommandLine::Action::kListOptions:
      return Print(transport::OptionsAsMarkdown());
    case CommandLine::Action::kRdmaReport:
      return PrintRdmaReport(line->options);
    case CommandLine::Action::kServe:
      break;
  }
  return Serve(*line);
}

}  // namespace
}  // namespace sluice::server

int main(int argc, char** argv) {
  return sluice::server::Main(std::vector<std::string>(argv + 1, argv + argc));
}
