// SPDX-License-Identifier: Apache-2.0
#include "transport/missing_tasks.h"

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace sluice::transport {
namespace {

constexpr absl::string_view kStart = "no answer from ";
constexpr absl::string_view kReady = " tasks are ready";

}  // namespace

absl::Status TasksMissing(absl::Span<const MissingTask> missing, size_t of) {
  std::string names, reasons;
  for (const MissingTask& one : missing) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", one.task, " at ", one.address);
    absl::StrAppend(&reasons, "; ", one.task, ": ", one.why.message());
  }
  return Unavailable(kStart, names, "; ", of - missing.size(), " of ", of, kReady, reasons);
}

std::string NamesOfMissingTasks(const absl::Status& status) {
  absl::string_view text = status.message();
  if (!absl::ConsumePrefix(&text, kStart) || !absl::StrContains(text, kReady)) return "";
  return absl::StrReplaceAll(text.substr(0, text.find(';')), {{"/replica:0", ""}});
}

}  // namespace sluice::transport
