// SPDX-License-Identifier: Apache-2.0
#include "core/device_name.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace sluice {
namespace {

// ALPHA { ALPHA | DIGIT | "_" }
bool IsWord(absl::string_view text) {
  if (text.empty() || !absl::ascii_isalpha(static_cast<unsigned char>(text[0]))) return false;
  for (char c : text) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return true;
}

// "*" means the same as a missing part.
bool ReadWord(absl::string_view text, std::optional<std::string>* part) {
  if (text == "*") return part->reset(), true;
  if (!IsWord(text)) return false;
  *part = std::string(text);
  return true;
}

bool ReadInt(absl::string_view text, std::optional<int>* part) {
  if (text == "*") return part->reset(), true;
  int value = 0;
  if (text.empty() || !absl::ascii_isdigit(static_cast<unsigned char>(text[0])) ||
      !absl::SimpleAtoi(text, &value)) {
    return false;
  }
  *part = value;
  return true;
}

bool IsLegacyType(absl::string_view text) {
  return absl::EqualsIgnoreCase(text, "cpu") || absl::EqualsIgnoreCase(text, "gpu");
}

// One piece between slashes: "job:worker", "device:GPU:1", "cpu:0".
bool ReadPiece(absl::string_view piece, DeviceName* name) {
  std::vector<absl::string_view> words = absl::StrSplit(piece, ':');
  const bool pair = words.size() == 2;
  if (pair && words[0] == "job") return ReadWord(words[1], &name->job);
  if (pair && words[0] == "replica") return ReadInt(words[1], &name->replica);
  if (pair && words[0] == "task") return ReadInt(words[1], &name->task);
  if (words[0] == "device") {
    words.erase(words.begin());
  } else if (!IsLegacyType(words[0])) {
    return false;
  }
  if (words.empty() || words.size() > 2) return false;
  if (!ReadWord(words[0], &name->type)) return false;
  if (name->type && IsLegacyType(*name->type)) absl::AsciiStrToUpper(&*name->type);
  return words.size() == 1 || ReadInt(words[1], &name->id);
}

template <typename T>
bool PartMatches(const std::optional<T>& wanted, const std::optional<T>& full) {
  return !wanted || wanted == full;
}

template <typename T>
void Fill(std::optional<T>* part, const std::optional<T>& weaker) {
  if (!*part) *part = weaker;
}

}  // namespace

absl::StatusOr<DeviceName> DeviceName::Parse(absl::string_view text) {
  DeviceName name;
  if (text.empty() || text == "/") return name;
  absl::string_view rest = text;
  if (rest[0] == '/') rest.remove_prefix(1);
  for (absl::string_view piece : absl::StrSplit(rest, '/')) {
    if (!ReadPiece(piece, &name))
      return InvalidArgument("Malformed device specification '", text, "'");
  }
  return name;
}

bool DeviceName::Matches(const DeviceName& full_name) const {
  return PartMatches(job, full_name.job) && PartMatches(replica, full_name.replica) &&
         PartMatches(task, full_name.task) && PartMatches(type, full_name.type) &&
         PartMatches(id, full_name.id);
}

bool DeviceName::SameTask(const DeviceName& other) const {
  return job == other.job && replica == other.replica && task == other.task;
}

void DeviceName::MergeOver(const DeviceName& weaker) {
  Fill(&job, weaker.job);
  Fill(&replica, weaker.replica);
  Fill(&task, weaker.task);
  Fill(&type, weaker.type);
  Fill(&id, weaker.id);
}

std::string DeviceName::ToString() const {
  std::string text;
  if (job) absl::StrAppend(&text, "/job:", *job);
  if (replica) absl::StrAppend(&text, "/replica:", *replica);
  if (task) absl::StrAppend(&text, "/task:", *task);
  if (type || id) {
    absl::StrAppend(&text, "/device:", type.value_or("*"), ":", id ? absl::StrCat(*id) : "*");
  }
  return text;
}

std::string DeviceName::task_name() const {
  return absl::StrCat("/job:", job.value_or("*"), "/replica:", replica.value_or(0),
                      "/task:", task.value_or(0));
}

std::string MergeDevices(const std::string& own, const std::string& weaker) {
  if (own.empty() || weaker.empty()) return own.empty() ? weaker : own;
  auto merged = DeviceName::Parse(own);
  const auto completing = DeviceName::Parse(weaker);
  if (!merged.ok() || !completing.ok()) return own;
  merged->MergeOver(*completing);
  return merged->ToString();
}

}  // namespace sluice
