// sluice-server: one task of a cluster, until SIGTERM or SIGINT.

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/flags/usage_config.h"
#include "absl/strings/match.h"
#include "core/log.h"
#include "server/op_list.h"
#include "server/server.h"
#include "transport/grpc/grpc_server.h"
#include "transport/options_table.h"

ABSL_FLAG(std::string, cluster, "",
          "cluster as JSON, {\"ps\": [\"host:port\"], \"worker\": [...]}, or a file that holds it; "
          "default: TF_CONFIG");
ABSL_FLAG(std::string, job, "", "this task's job");
ABSL_FLAG(int, task, 0, "this task's index in the job");
ABSL_FLAG(std::string, bind, "",
          "host to listen on; default loopback. Any other wants TLS and a token, or --insecure");
ABSL_FLAG(std::string, tls_ca, "",
          "PEM file of the authority that signed the certificates of this cluster's tasks; turns "
          "TLS on");
ABSL_FLAG(std::string, tls_cert, "", "PEM file of this task's certificate");
ABSL_FLAG(std::string, tls_key, "", "PEM file of its key");
ABSL_FLAG(bool, mtls, false, "clients must show a certificate that --tls_ca signed, as tasks do");
ABSL_FLAG(std::string, token_file, "",
          "file that holds the cluster's token; every call must show it");
ABSL_FLAG(bool, insecure, false,
          "allow listening beyond loopback without encryption and authentication");
ABSL_FLAG(std::string, transport, "auto",
          "how tensors go to other tasks: auto (the best both have of inproc, shm, tcp, grpc); a "
          "list in order of preference, \"tcp,grpc\"; one, \"shm\"; or all but some, \"-shm\"");
ABSL_FLAG(int, cpu_devices, 1, "how many CPU devices this task has");
ABSL_FLAG(int, inter_op_threads, 0, "threads that run nodes; 0: one a core");
ABSL_FLAG(int, intra_op_threads, 0, "threads inside one op; 0: one a core");
ABSL_FLAG(bool, asynchronous_devices, false,
          "CPU devices that run kernels later on a thread of their own, as a GPU does (for tests)");
ABSL_FLAG(bool, deterministic, false,
          "a step gives the same values whenever it runs: this task runs its nodes one after the "
          "other, and random ops without a seed have one of their device and name");
ABSL_FLAG(bool, list_ops, false,
          "print every op with the devices and dtypes that have a kernel, and exit");
ABSL_FLAG(bool, op_page, false,
          "print the ops that have a kernel as a page: dtypes, gradient, differences; and exit");
ABSL_FLAG(bool, list_options, false,
          "print what becomes of every field of ConfigProto and RunOptions, and exit");
ABSL_FLAG(int, max_sessions, 4096,
          "open sessions of this task's master; beyond it the one that was idle longest, for at "
          "least --idle_session_s, is closed, or creating one fails");
ABSL_FLAG(std::string, log_level, "",
          "debug, info, warning, error or off; default: SLUICE_LOG_LEVEL, or info");
ABSL_FLAG(std::string, log_file, "", "file that log lines are appended to; default: stderr");
ABSL_FLAG(int, idle_session_s, 3600, "how long a session without calls may not be closed");

namespace sluice::server {
namespace {

constexpr unsigned kStopSeconds = 10;  // after SIGTERM

absl::Status ConfigureLogFromFlags() {
  SLUICE_RETURN_IF_ERROR(ConfigureLog(LogLevel::kInfo, absl::GetFlag(FLAGS_log_level)));
  const std::string file = absl::GetFlag(FLAGS_log_file);
  return file.empty() ? absl::OkStatus() : SetLogFile(file);
}

absl::StatusOr<std::string> TextOrFile(const std::string& value) {
  const size_t first = value.find_first_not_of(" \t\n");
  if (first == std::string::npos || value[first] == '{') return value;
  std::ifstream file(value);
  if (!file)
    return NotFound("cannot read the cluster spec \"", value,
                    "\": it is no JSON object and no readable file");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

absl::StatusOr<ServerOptions> OptionsFromFlags() {
  ServerOptions options;
  const std::string cluster = absl::GetFlag(FLAGS_cluster);
  const char* tf_config = std::getenv("TF_CONFIG");
  if (!cluster.empty()) {
    SLUICE_ASSIGN(const std::string text, TextOrFile(cluster));
    SLUICE_ASSIGN(options.cluster, ClusterSpec::Parse(text));
    options.job = absl::GetFlag(FLAGS_job);
    options.task = absl::GetFlag(FLAGS_task);
    if (options.job.empty() && options.cluster.jobs.size() == 1)
      options.job = options.cluster.jobs.begin()->first;
  } else if (tf_config != nullptr) {
    SLUICE_ASSIGN(TaskConfig config, TaskConfig::FromTfConfig(tf_config));
    options.cluster = std::move(config.cluster);
    options.job = absl::GetFlag(FLAGS_job).empty() ? config.job : absl::GetFlag(FLAGS_job);
    options.task = absl::GetFlag(FLAGS_job).empty() ? config.task : absl::GetFlag(FLAGS_task);
  } else {
    return InvalidArgument("no cluster: give --cluster, or set TF_CONFIG");
  }
  if (options.job.empty()) return InvalidArgument("which task is this? give --job and --task");
  options.bind_host = absl::GetFlag(FLAGS_bind);
  options.credentials = {absl::GetFlag(FLAGS_tls_ca), absl::GetFlag(FLAGS_tls_cert),
                         absl::GetFlag(FLAGS_tls_key), absl::GetFlag(FLAGS_token_file)};
  options.mutual_tls = absl::GetFlag(FLAGS_mtls);
  options.insecure = absl::GetFlag(FLAGS_insecure);
  options.transport = absl::GetFlag(FLAGS_transport);
  options.cpu_devices = absl::GetFlag(FLAGS_cpu_devices);
  options.inter_op_threads = absl::GetFlag(FLAGS_inter_op_threads);
  options.intra_op_threads = absl::GetFlag(FLAGS_intra_op_threads);
  options.deterministic = absl::GetFlag(FLAGS_deterministic);
  options.max_sessions = absl::GetFlag(FLAGS_max_sessions);
  options.idle_session = absl::Seconds(absl::GetFlag(FLAGS_idle_session_s));
  options.asynchronous_devices = absl::GetFlag(FLAGS_asynchronous_devices);
  return options;
}

int Main() {
  if (absl::GetFlag(FLAGS_list_ops)) {
    std::cout << ListOps();
    return 0;
  }
  if (absl::GetFlag(FLAGS_op_page)) {
    std::cout << OpsAsMarkdown();
    return 0;
  }
  if (absl::GetFlag(FLAGS_list_options)) {
    std::cout << transport::OptionsAsMarkdown();
    return 0;
  }
  // Signals are taken by sigwait below; every thread made from here on has them blocked.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  transport::TuneMalloc();
  if (const absl::Status status = ConfigureLogFromFlags(); !status.ok()) {
    std::cerr << "sluice-server: " << status.message() << "\n";
    return 2;
  }
  auto options = OptionsFromFlags();
  if (!options.ok()) {
    std::cerr << "sluice-server: " << options.status().message() << "\n";
    return 2;
  }
  auto server = Server::Start(*options);
  if (!server.ok()) {
    std::cerr << "sluice-server: " << server.status().message() << "\n";
    return 1;
  }
  std::cout << (*server)->task() << " listens at " << (*server)->target() << std::endl;
  int signal = 0;
  sigwait(&signals, &signal);
  Log(LogLevel::kInfo, (*server)->task(), " stops on signal ", signal);
  alarm(kStopSeconds);  // ends a process that a kernel does not let go of
  (*server)->Stop();
  return 0;
}

}  // namespace
}  // namespace sluice::server

// --list-ops for --list_ops: people write either.
void DashesToUnderscores(int argc, char** argv) {
  for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    if (std::strncmp(argv[i], "--", 2) != 0) continue;
    for (char* c = argv[i] + 2; *c != '\0' && *c != '='; ++c)
      if (*c == '-') *c = '_';
  }
}

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage(
      "one task of a Sluice cluster\n  sluice-server --cluster '{\"ps\": [\"localhost:2222\"]}' "
      "--job ps --task 0");
  absl::FlagsUsageConfig usage;
  usage.contains_help_flags = [](absl::string_view file) {
    return absl::EndsWith(file, "server/main.cc");
  };
  absl::SetFlagsUsageConfig(usage);
  DashesToUnderscores(argc, argv);
  absl::ParseCommandLine(argc, argv);
  return sluice::server::Main();
}
