// SPDX-License-Identifier: Apache-2.0
// The benchmark of transports: two processes, pinned apart, with every transport and competitor in
// turns between them. It prints a line of JSON for each figure; `sluice bench transport` is the
// command for users. docs/transports.md describes the measurements.
#include <netdb.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "bench/transport/check.h"
#include "bench/transport/far_process.h"
#include "bench/transport/figure.h"
#include "bench/transport/measure.h"
#include "bench/transport/memory.h"
#include "core/log.h"
#include "transport/rpc/server.h"

ABSL_FLAG(std::string, transports, "", "those to be compared, \"tcp,raw-tcp\"; default: all");
ABSL_FLAG(bool, list, false, "print the transports and exit");
ABSL_FLAG(std::string, sizes, "1:256M", "of messages: \"1,4K,64M\", or \"1:256M\" by fours");
ABSL_FLAG(std::string, mixes, "uniform,random,skewed", "payloads of ten buffers, or none: \"\"");
ABSL_FLAG(std::string, serialised, "mixes", "what is also measured encoded: none, mixes or all");
ABSL_FLAG(int, connections, 1, "of tcp and raw-tcp");
ABSL_FLAG(int, servers, 2, "parameter servers; 0: not measured");
ABSL_FLAG(int, workers, 3, "of the parameter servers");
ABSL_FLAG(int, rounds, 7, "in each of which every transport has its turn");
ABSL_FLAG(double, seconds, 0.02, "of one transport in one round, for each figure");
ABSL_FLAG(
    std::string, pin, "apart",
    "the two processes to half of the cores each (apart), to one core (together), or not (none)");
ABSL_FLAG(std::string, serve, "",
          "HOST:PORT: be the far process for others, until killed. Anybody "
          "who reaches it may use this machine's memory and processors");
ABSL_FLAG(std::string, connect, "", "HOST:PORT of a far process on another machine");

namespace sluice::bench {
namespace {

using transport::Descriptor;

// --- cores ---

std::vector<int> AllowedCores() {
  cpu_set_t set;
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

void PinTo(const std::vector<int>& cores) {
  if (cores.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int core : cores) CPU_SET(core, &set);
  Check(sched_setaffinity(0, sizeof(set), &set) == 0, "pinning to cores");
}

// Apart: half of the cores for each process, if there are two or more. Together: one core for both,
// so that waking the other process is cheap.
void ShareCores(Setting* setting) {
  const std::string pin = absl::GetFlag(FLAGS_pin);
  const std::vector<int> cores = AllowedCores();
  if (pin == "together") {
    setting->near_cores = setting->far_cores = {cores.at(0)};
  } else if (pin == "apart" && cores.size() > 1) {
    const auto half = cores.begin() + static_cast<int64_t>(cores.size() / 2);
    setting->near_cores.assign(cores.begin(), half);
    setting->far_cores.assign(half, cores.end());
  } else {
    Check(pin == "apart" || pin == "none", "reading --pin: apart, together or none; this");
  }
}

// --- the two processes ---

addrinfo* Resolve(const std::string& address) {
  const size_t colon = address.rfind(':');
  Check(colon != std::string::npos, "reading HOST:PORT in " + address);
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  Check(getaddrinfo(address.substr(0, colon).c_str(), address.substr(colon + 1).c_str(), &hints,
                    &found) == 0,
        "finding " + address);
  return found;  // the process's
}

Descriptor WithoutDelay(Descriptor socket) {
  const int yes = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  return socket;
}

[[noreturn]] void ServeForever(const std::string& address) {
  const addrinfo* at = Resolve(address);
  Descriptor listener(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  Check(bind(listener.get(), at->ai_addr, at->ai_addrlen) == 0 && listen(listener.get(), 1) == 0,
        "listening at " + address);
  signal(SIGCHLD, SIG_IGN);  // child processes need no wait
  std::cerr << "serves at " << address << std::endl;
  while (true) {
    Descriptor peer(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer.valid() || fork() != 0) continue;
    // a process for each, which ends with its contender
    Serve(WithoutDelay(std::move(peer)), nullptr);
    _exit(0);
  }
}

Descriptor ConnectTo(const std::string& address) {
  const addrinfo* at = Resolve(address);
  Descriptor made(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Check(connect(made.get(), at->ai_addr, at->ai_addrlen) == 0, "connecting to " + address);
  return WithoutDelay(std::move(made));
}

// A child with its own cores. REQUIRES: this process has no threads yet.
Descriptor StartFarProcess(const Setting& setting, SpinSlot* slot) {
  int ends[2];
  Check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "making a socket pair");
  Descriptor mine(ends[0]), its(ends[1]);
  const pid_t child = fork();
  Check(child >= 0, "forking");
  if (child > 0) return mine;
  mine = Descriptor();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  PinTo(setting.far_cores);
  Serve(std::move(its), slot);
  _exit(0);
}

// --- measurements ---

void AddPayload(const Payload& payload, bool also_serialised, std::vector<Payload>* to) {
  to->push_back(payload);
  if (!also_serialised) return;
  to->push_back(payload);
  to->back().serialised = true;
}

std::vector<Payload> Mixes() {
  std::vector<Payload> payloads;
  const std::string serialised = absl::GetFlag(FLAGS_serialised);
  for (absl::string_view mix : absl::StrSplit(absl::GetFlag(FLAGS_mixes), ',', absl::SkipEmpty()))
    AddPayload(Checked(MixedPayload(std::string(mix)), "reading --mixes"), serialised != "none",
               &payloads);
  return payloads;
}

std::vector<Payload> Sizes() {
  std::vector<Payload> payloads;
  const std::string serialised = absl::GetFlag(FLAGS_serialised);
  for (int64_t size : Checked(ParseSizes(absl::GetFlag(FLAGS_sizes)), "reading --sizes"))
    AddPayload(PlainPayload(size), serialised == "all", &payloads);
  return payloads;
}

void Compare() {
  Setting setting;
  setting.connections = absl::GetFlag(FLAGS_connections);
  setting.rounds = absl::GetFlag(FLAGS_rounds);
  setting.servers = absl::GetFlag(FLAGS_servers);
  setting.workers = absl::GetFlag(FLAGS_workers);
  Check(setting.connections > 0 && setting.rounds > 0 && setting.servers >= 0 &&
            setting.workers > 0 && absl::GetFlag(FLAGS_seconds) > 0,
        "finding positive numbers in the options");
  const std::string elsewhere = absl::GetFlag(FLAGS_connect);
  setting.two_machines = !elsewhere.empty();
  if (!setting.two_machines) ShareCores(&setting);

  Plan plan;
  plan.kinds = Checked(ParseKinds(absl::GetFlag(FLAGS_transports)), "reading --transports");
  plan.options.connections = setting.connections;
  plan.rounds = setting.rounds;
  plan.seconds = absl::GetFlag(FLAGS_seconds);
  std::vector<Payload> payloads = Sizes();
  const std::vector<Payload> mixes = Mixes();
  payloads.insert(payloads.end(), mixes.begin(), mixes.end());

  SpinSlot* const slot = setting.two_machines ? nullptr : CreateSpinSlot();
  {
    FarProcess far(setting.two_machines ? ConnectTo(elsewhere) : StartFarProcess(setting, slot),
                   slot);
    PinTo(setting.near_cores);
    ReportSetting(setting);
    MeasurePayloads(plan, payloads, far);
    if (setting.servers > 0)
      MeasureServersAndWorkers(plan, mixes, setting.servers, setting.workers, far);
  }
  while (wait(nullptr) > 0) {  // the child ends when no request comes any more
  }
}

int Main() {
  SetLogLevel(LogLevel::kWarning);
  if (absl::GetFlag(FLAGS_list)) {
    for (const Kind& kind : AllKinds()) std::cout << kind.name << "\t" << kind.layer << "\n";
    return 0;
  }
  transport::TuneMalloc();
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);  // as a server does
  if (const std::string address = absl::GetFlag(FLAGS_serve); !address.empty())
    ServeForever(address);
  Compare();
  return 0;
}

}  // namespace
}  // namespace sluice::bench

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("compares transports; docs/transports.md");
  absl::ParseCommandLine(argc, argv);
  return sluice::bench::Main();
}
