// SPDX-License-Identifier: Apache-2.0
#include "server/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>
#include <type_traits>
#include <variant>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "core/io/file.h"
#include "core/version.h"
#include "transport/selection/transport_table.h"

namespace sluice::server {
namespace {

using Action = CommandLine::Action;

constexpr char kDescription[] =
    "sluice-server runs one task of a cluster until SIGTERM or SIGINT.\n"
    "  sluice-server --cluster '{\"ps\": [\"localhost:2222\"]}' --job ps --task 0";
constexpr size_t kNameColumn = 28, kTextColumn = 70;

// Options that are not fields of ServerOptions.
struct Given {
  std::string cluster, job, file_access;
  int task = 0;
  bool gpus_optional = false;
  bool list_ops = false, op_page = false, list_options = false, rdma_report = false;
};

std::string Wrapped(absl::string_view text) {
  std::string out;
  size_t width = 0;
  for (absl::string_view word : absl::StrSplit(text, ' ')) {
    const bool fits = width == 0 || width + 1 + word.size() <= kTextColumn;
    if (width > 0) out += fits ? ' ' : '\n';
    width = fits && width > 0 ? width + 1 + word.size() : word.size();
    absl::StrAppend(&out, word);
  }
  return out;
}

// Checks a whole number; CLI11 puts the option's name before the message.
CLI::Validator Between(int low, int high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    int64_t number = 0;
    if (!absl::SimpleAtoi(text, &number)) return Cat("\"", text, "\" is not a whole number");
    if (number >= low && number <= high) return "";
    return Cat(number, " is out of range: it must be from ", low, " to ", high);
  };
  return CLI::Validator(check, "", "");
}

CLI::Validator AtLeast(int low) { return Between(low, INT_MAX); }

// Checks the fraction of a GPU's memory.
std::string CheckFraction(const std::string& text) {
  double fraction = 0;
  if (absl::SimpleAtod(text, &fraction) && fraction > 0 && fraction <= 1) return "";
  return Cat("\"", text, "\" is out of range: it must be more than 0 and at most 1");
}

// Makes a number of bytes of "512M" or "20G".
std::string PlainBytes(std::string& text) {
  constexpr absl::string_view kUnits = "KMGT";
  absl::string_view digits = text;
  int64_t factor = 1;
  if (const size_t unit = digits.empty() ? kUnits.npos : kUnits.find(digits.back());
      unit != kUnits.npos) {
    factor = int64_t{1} << (10 * (unit + 1));
    digits.remove_suffix(1);
  }
  int64_t number = 0;
  if (!absl::SimpleAtoi(digits, &number) || number <= 0 || number > INT64_MAX / factor)
    return Cat("\"", text, "\" is not a positive number of bytes, such as 512M or 20G");
  text = absl::StrCat(number * factor);
  return "";
}

// Options are declared in the groups of the help.
class Options {
 public:
  Options(CLI::App& app, Given& given, CommandLine& line) : app_(app), given_(given), line_(line) {}

  void Declare() {
    DeclareTask();
    DeclareRdma();
    DeclareSecurity();
    DeclareExecution();
    DeclareGpus();
    DeclareLists();
  }

 private:
  template <typename T>
  CLI::Option* Add(const std::string& name, T& value, absl::string_view text) {
    // The last of several counts, because wrapper scripts append their options.
    return app_.add_option("--" + name, value, Wrapped(text))->take_last()->group(group_);
  }
  template <typename T>
  void AddCount(const std::string& name, T& value, int low, absl::string_view text) {
    Add(name, value, text)->check(AtLeast(low))->type_name("N")->capture_default_str();
  }
  void AddFlag(const std::string& name, bool& value, absl::string_view text) {
    app_.add_flag("--" + name, value, Wrapped(text))->take_last()->group(group_);
  }

  void DeclareTask() {
    group_ = "The task";
    Add("cluster", given_.cluster,
        "cluster as JSON, {\"ps\": [\"host:port\"], \"worker\": [...]}, or a file that holds it; "
        "default: the environment variable TF_CONFIG")
        ->type_name("JSON|FILE");
    Add("job", given_.job, "this task's job")->type_name("NAME");
    AddCount("task", given_.task, 0, "this task's index in the job");
    Add("bind", line_.options.bind_host,
        "host to listen on; default: loopback. Any other requires TLS and a token, or --insecure")
        ->type_name("HOST");
    Add("transport", line_.options.transport,
        absl::StrCat("transports for tensors: auto (the best of ",
                     absl::StrJoin(transport::AllTransports(), ", ",
                                   [](std::string* out, const transport::TransportRow& row) {
                                     out->append(row.name);
                                   }),
                     " that both tasks have); "
                     "a list in order of preference, \"tcp,grpc\"; one, \"shm\"; or all except "
                     "some, \"-shm\""))
        ->type_name("LIST")
        ->capture_default_str();
    AddFlag("no_checksums", line_.options.no_checksums,
            "send tensors to other hosts without a CRC-32C of their content");
    AddCount("parent", line_.parent, 0,
             "process id of the parent; the server ends when the parent ends, and prints on "
             "standard output why it cannot start; 0: no parent");
    Add("log_level", line_.log_level,
        "debug, info, warning, error or off; default: SLUICE_LOG_LEVEL, else info")
        ->type_name("LEVEL");
    Add("log_file", line_.log_file, "file to append log lines to; default: standard error")
        ->type_name("FILE");
  }

  void DeclareRdma() {
    group_ = "RDMA (docs/rdma.md)";
    transport::RdmaSettings& settings = line_.options.rdma;
    for (const transport::RdmaOption& row : transport::RdmaOptions()) {
      const std::string text = absl::StrCat(row.effect, "; default: ", row.standard);
      std::visit(
          [&](auto field) {
            using Value = std::remove_reference_t<decltype(settings.*field)>;
            if constexpr (std::is_same_v<Value, bool>)
              AddFlag(row.name, settings.*field, text);
            else if constexpr (std::is_same_v<Value, int>)
              Add(row.name, settings.*field, text)
                  ->check(Between(row.low, row.high))
                  ->type_name("N");
            else
              Add(row.name, settings.*field, text)->type_name("NAME");
          },
          row.field);
    }
  }

  void DeclareSecurity() {
    group_ = "Security (docs/security.md)";
    auto& files = line_.options.credentials;
    Add("tls_ca", files.ca,
        "PEM file of the authority that signed the certificates of the cluster's tasks; turns TLS "
        "on")
        ->type_name("FILE");
    Add("tls_cert", files.cert, "PEM file of this task's certificate")->type_name("FILE");
    Add("tls_key", files.key, "PEM file of its key")->type_name("FILE");
    AddFlag("mtls", line_.options.mutual_tls,
            "require from clients a certificate that --tls_ca signed, as tasks have");
    Add("token_file", files.token, "file with the cluster's token; every call must carry it")
        ->type_name("FILE");
    AddFlag("insecure", line_.options.insecure,
            "allow a --bind beyond loopback without TLS or without a token");
    AddCount(
        "max_connections", line_.options.connections.connections, 0,
        "maximum of connections with each port of the task; beyond it the oldest one without a "
        "session is closed, or a new one; 0: three quarters of the descriptors (ulimit -n)");
    AddCount("max_connections_per_address", line_.options.connections.per_address, 0,
             "the same for one address; 0: three quarters of --max_connections");
    Add("file_access", given_.file_access,
        "what ops may do with the files of this machine: none, read or write; default: write, but "
        "none if --bind is beyond loopback")
        ->type_name("ACCESS");
    Add("file_root", line_.files.root, "folder below which the files of ops are; default: any")
        ->type_name("FOLDER");
  }

  void DeclareExecution() {
    group_ = "Execution";
    auto& options = line_.options;
    AddCount("cpu_devices", options.cpu_devices, 1, "number of CPU devices of this task");
    AddCount("inter_op_threads", options.inter_op_threads, 0,
             "threads that run nodes; 0: one per core");
    AddCount("intra_op_threads", options.intra_op_threads, 0,
             "threads inside one op; 0: one per core");
    Add("memory_limit", line_.memory_limit,
        "limit of this process's memory, in bytes: 512M, 20G; a step that needs more fails; "
        "default: "
        "90 % of what the machine, or the control group, has")
        ->type_name("BYTES")
        ->transform(CLI::Validator(PlainBytes, "", ""));
    AddFlag("deterministic", options.deterministic,
            "give a step the same values in every run: this task runs its nodes one at a time, and "
            "random ops without a seed get one from their device and name");
    AddFlag("asynchronous_devices", options.asynchronous_devices,
            "let CPU devices run kernels later on their own threads, as a GPU does (for tests)");
    AddCount("max_sessions", options.sessions.open, 1,
             "maximum of open sessions of this task's master; beyond it the master closes the "
             "session that was idle longest, for at least --idle_session_s, or refuses a new one");
    AddCount("idle_session_s", options.sessions.idle_s, 0,
             "seconds without calls after which a session may be closed");
    AddCount("max_sessions_per_client", options.sessions.per_client, 0,
             "the same as --max_sessions for the clients at one address; 0: three quarters of it");
    Add("max_graph_bytes", options.sessions.graph_bytes,
        "maximum of bytes of a session's graphs with their constants; for this and the limits "
        "below, all sessions of the clients at one address may have ten times as much")
        ->type_name("BYTES")
        ->transform(CLI::Validator(PlainBytes, "", ""))
        ->capture_default_str();
    AddCount("max_signatures", options.sessions.signatures, 1,
             "maximum of a session's compiled sets of feeds, fetches and targets");
    AddCount("max_callables", options.sessions.callables, 1, "maximum of a session's callables");
    AddCount("max_partial_runs", options.sessions.partial_runs, 1,
             "maximum of a session's open partial runs");
    AddCount("max_steps", options.sessions.steps, 1,
             "maximum of steps that a session runs at once");
  }

  void DeclareGpus() {
    group_ = "GPUs";
    auto& gpus = line_.options.gpus;
    Add("gpus", gpus.visible,
        "GPUs of this task: all, none, or the numbers of nvidia-smi, \"0,2\"; if numbers are "
        "given, the task does not start without these GPUs")
        ->type_name("LIST")
        ->capture_default_str();
    AddFlag("gpus_optional", given_.gpus_optional,
            "start without GPUs if the machine has none, although --gpus has numbers");
    Add("max_gpus", gpus.most, "largest number of GPUs of this task; default: no bound")
        ->type_name("N")
        ->check(AtLeast(0));
    Add("gpu_memory_fraction", gpus.memory_fraction,
        "limit of each GPU's memory, from 0 to 1; default: the free memory at the start, minus a "
        "reserve")
        ->type_name("X")
        ->check(CheckFraction, "", "");
    Add("gpu_memory_limit", gpus.memory_limit, "limit of each GPU's memory, in bytes: 512M, 20G")
        ->type_name("BYTES")
        ->transform(CLI::Validator(PlainBytes, "", ""));
    AddFlag("gpu_allow_growth", gpus.allow_growth,
            "take a GPU's memory in the sizes of requests, without doubling");
    AddFlag("gpu_blocking", gpus.blocking,
            "wait after each kernel, so that a late error names its node (slow)");
    Add("cuda_libraries", gpus.libraries,
        "folders of cuBLASLt, cuDNN and NCCL, separated by colons; default: those of the loader")
        ->type_name("FOLDERS");
  }

  void DeclareLists() {
    group_ = "Print and exit";
    AddFlag("list_ops", given_.list_ops,
            "print every op with the devices and dtypes that have a kernel");
    AddFlag("op_page", given_.op_page,
            "print docs/ops.md: ops that have a kernel, dtypes, gradients, differences");
    AddFlag("list_options", given_.list_options,
            "print how each field of ConfigProto and RunOptions is treated");
    AddFlag("rdma_report", given_.rdma_report,
            "print what this machine has for RDMA, and test its device; --cluster, --job, --task "
            "and the options of RDMA count");
  }

  CLI::App& app_;
  Given& given_;
  CommandLine& line_;
  std::string group_;
};

// Accepts --list-ops and -list_ops for --list_ops, and --noinsecure for --insecure=false.
std::string Spelt(const std::string& argument, const CLI::App& app) {
  if (!absl::StartsWith(argument, "-")) return argument;
  const size_t dashes = absl::StartsWith(argument, "--") ? 2 : 1, equals = argument.find('=');
  const std::string name =
      absl::StrReplaceAll(argument.substr(dashes, equals - dashes), {{"-", "_"}});
  // A value may begin with one dash: --transport -shm.
  if (dashes == 1 && (name.empty() || app.get_option_no_throw("--" + name) == nullptr))
    return argument;
  const std::string value = equals == std::string::npos ? "" : argument.substr(equals);
  if (absl::StartsWith(name, "no") && value.empty()) {
    const CLI::Option* option = app.get_option_no_throw("--" + name.substr(2));
    if (option != nullptr && option->get_items_expected_max() == 0)
      return "--" + name.substr(2) + "=false";
  }
  return "--" + name + value;
}

absl::Status CheckNothingIsLeft(const CLI::App& app) {
  for (const std::string& word : app.remaining()) {
    if (word == "--") continue;
    if (absl::StartsWith(word, "-"))
      return InvalidArgument("unknown option \"", word, "\"; --help lists the options");
    return InvalidArgument("unexpected word \"", word,
                           "\": every argument is an option; --help lists them");
  }
  return absl::OkStatus();
}

absl::StatusOr<ClusterSpec> ReadCluster(const std::string& value) {
  const size_t first = value.find_first_not_of(" \t\n");
  if (first == std::string::npos || value[first] == '{') return ClusterSpec::Parse(value);
  const auto text = ReadFile(value);
  if (!text.ok()) {
    return InvalidArgument("this is neither a JSON object nor a file that can be read: ",
                           text.status().message());
  }
  auto spec = ClusterSpec::Parse(*text);
  if (!spec.ok()) return Annotate(spec.status(), value);
  return spec;
}

// Chooses the task. TF_CONFIG is used if --cluster is not given. --job and --task override it.
absl::Status ChooseTask(const Given& given, const char* tf_config, ServerOptions& options) {
  std::string source = "--cluster";
  options.job = given.job;
  options.task = given.task;
  if (!given.cluster.empty()) {
    auto spec = ReadCluster(given.cluster);
    if (!spec.ok()) return Annotate(spec.status(), source);
    options.cluster = *std::move(spec);
    if (options.job.empty() && options.cluster.jobs.size() == 1)
      options.job = options.cluster.jobs.begin()->first;
  } else if (tf_config != nullptr) {
    source = "TF_CONFIG";
    SLUICE_ASSIGN(TaskConfig config, TaskConfig::FromTfConfig(tf_config));
    options.cluster = std::move(config.cluster);
    if (given.job.empty()) {
      options.job = config.job;
      options.task = config.task;
    }
  } else {
    return InvalidArgument("no cluster: give --cluster, or set TF_CONFIG");
  }
  if (options.job.empty()) return InvalidArgument("which task is this? give --job and --task");
  return Annotate(options.cluster.Address(options.job, options.task).status(), source);
}

absl::Status CheckBindHost(const std::string& host) {
  const bool ipv6 = absl::StartsWith(host, "[") ? absl::EndsWith(host, "]")
                                                : std::count(host.begin(), host.end(), ':') > 1;
  if (host.find(':') == std::string::npos || ipv6) return absl::OkStatus();
  return InvalidArgument("--bind: \"", host,
                         "\" must be a host without a port; the port is the one that the cluster "
                         "gives this task");
}

absl::StatusOr<FileAccess> AccessOf(const std::string& text, const std::string& bind_host) {
  if (text.empty()) return IsLoopback(bind_host) ? FileAccess::kWrite : FileAccess::kNone;
  if (text == "none") return FileAccess::kNone;
  if (text == "read") return FileAccess::kRead;
  if (text == "write") return FileAccess::kWrite;
  return InvalidArgument("--file_access: \"", text, "\" is not one of none, read, write");
}

absl::Status Complete(const Given& given, const char* tf_config, CommandLine& line) {
  if (given.list_ops || given.op_page || given.list_options) {
    line.action = given.list_ops  ? Action::kListOps
                  : given.op_page ? Action::kOpPage
                                  : Action::kListOptions;
    return absl::OkStatus();
  }
  if (given.rdma_report) {
    line.action = Action::kRdmaReport;
    // The task's address helps to find the device, but is not needed.
    return given.cluster.empty() ? absl::OkStatus() : ChooseTask(given, nullptr, line.options);
  }
  SLUICE_RETURN_IF_ERROR(CheckBindHost(line.options.bind_host));
  SLUICE_ASSIGN(line.files.access, AccessOf(given.file_access, line.options.bind_host));
  SLUICE_RETURN_IF_ERROR(
      Annotate(transport::ParseTransports(line.options.transport).status(), "--transport"));
  line.options.gpus.required = line.options.gpus.listed() && !given.gpus_optional;
  SLUICE_RETURN_IF_ERROR(Annotate(CheckGpuOptions(line.options.gpus), "--gpus"));
  if (!line.log_level.empty())
    SLUICE_RETURN_IF_ERROR(Annotate(ParseLogLevel(line.log_level).status(), "--log_level"));
  return ChooseTask(given, tf_config, line.options);
}

CommandLine Printing(std::string text) {
  CommandLine line;
  line.action = Action::kPrintText;
  line.text = std::move(text);
  return line;
}

// CLI11's messages begin with a capital or with the option's name.
absl::Status AsStatus(const CLI::ParseError& error) {
  std::string message = error.what();
  if (message.size() > 1 && absl::ascii_islower(message[1]))
    message[0] = absl::ascii_tolower(message[0]);
  return InvalidArgument(message);
}

}  // namespace

absl::StatusOr<CommandLine> CommandLine::Parse(const std::vector<std::string>& arguments,
                                               const char* tf_config) {
  CLI::App app(kDescription, "sluice-server");
  Given given;
  CommandLine line;
  app.get_formatter()->column_width(kNameColumn);
  app.allow_extras();
  app.set_help_flag("-h,--help", "print this and exit");
  app.set_version_flag("-v,--version", Cat("sluice-server ", kVersion), "print the version");
  Options(app, given, line).Declare();
  // CLI11 takes its arguments from the end.
  std::vector<std::string> reversed;
  for (const std::string& argument : arguments)
    reversed.insert(reversed.begin(), Spelt(argument, app));
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return Printing(app.help());
  } catch (const CLI::CallForVersion&) {
    return Printing(app.version() + "\n");
  } catch (const CLI::ParseError& error) {
    return AsStatus(error);
  }
  SLUICE_RETURN_IF_ERROR(CheckNothingIsLeft(app));
  SLUICE_RETURN_IF_ERROR(Complete(given, tf_config, line));
  return line;
}

}  // namespace sluice::server
