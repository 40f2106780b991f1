#include "server/cluster_spec.h"

#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"

namespace sluice::server {
namespace {

using Json = nlohmann::json;

bool IsJobName(absl::string_view name) {
  if (name.empty() || !absl::ascii_isalpha(name[0])) return false;
  for (char c : name) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return true;
}

absl::StatusOr<Json> ParseJson(const std::string& text) {
  constexpr size_t kMaxBytes = 16 << 20;
  if (text.size() > kMaxBytes) return InvalidArgument("cluster spec is over ", kMaxBytes, " bytes");
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return InvalidArgument("cluster spec is not JSON: ", text.substr(0, 80));
  return json;
}

absl::Status CheckAddress(const std::string& job, int task, const Json& value,
                          std::set<std::string>& seen, std::string& out) {
  if (!value.is_string())
    return InvalidArgument("address of task ", task, " of job \"", job, "\" must be a string");
  out = value.get<std::string>();
  const size_t colon = out.rfind(':');
  int port = -1;
  if (colon == std::string::npos || colon == 0 || !absl::SimpleAtoi(out.substr(colon + 1), &port) ||
      port < 0 || port > 65535) {
    return InvalidArgument("address of task ", task, " of job \"", job,
                           "\" must be host:port, got \"", out, "\"");
  }
  if (port != 0 && !seen.insert(out).second)
    return InvalidArgument("address \"", out, "\" is used by two tasks");
  return absl::OkStatus();
}

absl::StatusOr<ClusterSpec> FromJson(const Json& json) {
  if (!json.is_object())
    return InvalidArgument(
        "cluster spec must be an object of jobs, like {\"ps\": [\"host:port\"]}");
  ClusterSpec spec;
  std::set<std::string> seen;
  for (const auto& [job, tasks] : json.items()) {
    if (!IsJobName(job))
      return InvalidArgument("job name \"", job,
                             "\" must be a letter, then letters, digits or '_'");
    if (!tasks.is_array() && !tasks.is_object()) {
      return InvalidArgument(
          "job \"", job, "\" must be a list of addresses or an object of task index to address");
    }
    int next = 0;
    for (const auto& [key, value] : tasks.items()) {
      int index = next++;
      if (tasks.is_object() && (!absl::SimpleAtoi(key, &index) || index < 0)) {
        return InvalidArgument("task index \"", key, "\" of job \"", job,
                               "\" must be a number from 0");
      }
      SLUICE_RETURN_IF_ERROR(CheckAddress(job, index, value, seen, spec.jobs[job][index]));
    }
  }
  return spec;
}

}  // namespace

std::string TaskName(const std::string& job, int task) {
  return absl::StrCat("/job:", job, "/replica:0/task:", task);
}

absl::StatusOr<ClusterSpec> ClusterSpec::Parse(const std::string& text) {
  SLUICE_ASSIGN(const Json json, ParseJson(text));
  return FromJson(json);
}

std::vector<transport::PeerAddress> ClusterSpec::Tasks() const {
  std::vector<transport::PeerAddress> tasks;
  for (const auto& [job, addresses] : jobs) {
    for (const auto& [task, address] : addresses) tasks.push_back({TaskName(job, task), address});
  }
  return tasks;
}

absl::StatusOr<std::string> ClusterSpec::Address(const std::string& job, int task) const {
  auto it = jobs.find(job);
  if (it == jobs.end()) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : jobs) names.push_back(name);
    return NotFound("the cluster has no job \"", job, "\"; it has ", absl::StrJoin(names, ", "));
  }
  auto address = it->second.find(task);
  if (address == it->second.end()) {
    return NotFound("job \"", job, "\" has no task ", task, "; it has ", it->second.size(),
                    " tasks");
  }
  return address->second;
}

absl::StatusOr<TaskConfig> TaskConfig::FromTfConfig(const std::string& text) {
  SLUICE_ASSIGN(const Json json, ParseJson(text));
  if (!json.is_object() || !json.contains("cluster"))
    return InvalidArgument("TF_CONFIG has no \"cluster\"");
  TaskConfig config;
  SLUICE_ASSIGN(config.cluster, FromJson(json["cluster"]));
  if (json.contains("task")) {
    const Json& task = json["task"];
    const Json index = task.is_object() ? task.value("index", Json(0)) : Json();
    const Json type = task.is_object() ? task.value("type", Json()) : Json();
    const bool index_is_text =
        index.is_string() && absl::SimpleAtoi(index.get<std::string>(), &config.task);
    if (!type.is_string() || !(index.is_number_integer() || index_is_text)) {
      return InvalidArgument("TF_CONFIG's \"task\" must be {\"type\": job, \"index\": number}");
    }
    config.job = type.get<std::string>();
    if (index.is_number_integer()) config.task = index.get<int>();
  }
  return config;
}

}  // namespace sluice::server
