// SPDX-License-Identifier: Apache-2.0
#include "server/cluster_spec.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
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
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while ..."
    absl::string_view what = error.what();
    what.remove_prefix(std::min(what.size(), what.find("] ") + 2));
    absl::ConsumePrefix(&what, "parse error at ");
    return InvalidArgument("cluster spec is not JSON: ", what);
  }
}

absl::Status CheckPort(absl::string_view text) {
  int64_t port = 0;
  if (text.empty() || !std::all_of(text.begin(), text.end(), absl::ascii_isdigit))
    return InvalidArgument("must be host:port");
  if (!absl::SimpleAtoi(text, &port) || port > 65535)
    return InvalidArgument("has port ", text,
                           ", which is out of range: it must be from 0 to 65535");
  return absl::OkStatus();
}

absl::Status CheckAddress(const std::string& job, int task, const Json& value,
                          std::set<std::string>& seen, std::string& out) {
  if (!value.is_string())
    return InvalidArgument("address of task ", task, " of job \"", job, "\" must be a string");
  out = value.get<std::string>();
  const size_t colon = out.rfind(':');
  const bool has_host = colon != std::string::npos && colon > 0;
  const absl::string_view port = absl::string_view(out).substr(has_host ? colon + 1 : out.size());
  if (const absl::Status status = CheckPort(port); !status.ok()) {
    return InvalidArgument("address \"", out, "\" of task ", task, " of job \"", job, "\" ",
                           status.message());
  }
  if (port.find_first_not_of('0') != absl::string_view::npos && !seen.insert(out).second)
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

// The index may be a number or the text of one.
absl::StatusOr<int> TaskIndex(const Json& index) {
  int number = -1;
  if (index.is_string() || index.is_number_integer()) {
    const std::string text = index.is_string() ? index.get<std::string>() : index.dump();
    if (absl::SimpleAtoi(text, &number) && number >= 0) return number;
  }
  return InvalidArgument("the index of \"task\" must be a number from 0, got ", index.dump());
}

absl::StatusOr<TaskConfig> ParseTfConfig(const std::string& text) {
  SLUICE_ASSIGN(const Json json, ParseJson(text));
  if (!json.is_object() || !json.contains("cluster"))
    return InvalidArgument("no \"cluster\" in it");
  TaskConfig config;
  SLUICE_ASSIGN(config.cluster, FromJson(json["cluster"]));
  if (!json.contains("task")) return config;
  const Json& task = json["task"];
  const Json type = task.is_object() ? task.value("type", Json()) : Json();
  if (!type.is_string())
    return InvalidArgument("\"task\" must be {\"type\": job, \"index\": number}, got ",
                           task.dump());
  config.job = type.get<std::string>();
  SLUICE_ASSIGN(config.task, TaskIndex(task.value("index", Json(0))));
  return config;
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
    std::vector<int> indices;
    for (const auto& [index, unused] : it->second) indices.push_back(index);
    return NotFound("job \"", job, "\" has no task ", task, "; it has ", indices.size(), ": ",
                    absl::StrJoin(indices, ", "));
  }
  return address->second;
}

absl::StatusOr<TaskConfig> TaskConfig::FromTfConfig(const std::string& text) {
  auto config = ParseTfConfig(text);
  if (!config.ok()) return Annotate(config.status(), "TF_CONFIG");
  return config;
}

}  // namespace sluice::server
