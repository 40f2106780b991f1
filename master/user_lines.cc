// SPDX-License-Identifier: Apache-2.0
#include "master/user_lines.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/graph_debug_info.pb.h"

namespace sluice::master {
namespace {

using proto::GraphDebugInfo;

constexpr absl::string_view kTag = "{{node ";

std::string Place(const GraphDebugInfo& info, const GraphDebugInfo::FileLineCol& frame) {
  const int file = frame.file_index();
  std::string place = file >= 0 && file < info.files_size() ? info.files(file) : "";
  absl::StrAppend(&place, ":", frame.line());
  if (!frame.func().empty()) absl::StrAppend(&place, " in ", frame.func());
  if (!frame.func().empty() && !absl::EndsWith(frame.func(), ">")) place += "()";
  return place;
}

// The innermost frame of a trace; null if it has no known frame.
const GraphDebugInfo::FileLineCol* Innermost(const GraphDebugInfo& info,
                                             const GraphDebugInfo::StackTrace& trace) {
  if (trace.file_line_cols_size() > 0) return &trace.file_line_cols(0);
  if (trace.frame_id_size() == 0) return nullptr;
  const auto found = info.frames_by_id().find(trace.frame_id(0));
  return found == info.frames_by_id().end() ? nullptr : &found->second;
}

}  // namespace

void UserLines::Add(const GraphDebugInfo& info) {
  absl::flat_hash_map<uint64_t, size_t> place_of_trace;
  for (const auto& [id, trace] : info.traces_by_id()) {
    const auto* frame = Innermost(info, trace);
    if (frame == nullptr) continue;
    place_of_trace[id] = places_.size();
    places_.push_back(Place(info, *frame));
  }
  for (const auto& [name, id] : info.name_to_trace_id()) {
    if (auto found = place_of_trace.find(id); found != place_of_trace.end())
      place_of_[name] = found->second;
  }
  for (const auto& [name, trace] : info.traces()) {
    const auto* frame = Innermost(info, trace);
    if (frame == nullptr) continue;
    place_of_[name] = places_.size();
    places_.push_back(Place(info, *frame));
  }
}

std::string UserLines::Of(absl::string_view message) const {
  for (size_t at = message.find(kTag); at != absl::string_view::npos;
       at = message.find(kTag, at + 1)) {
    absl::string_view name = message.substr(at + kTag.size());
    name = name.substr(0, name.find("}}"));
    name = name.substr(0, name.find('>'));  // for a function's node: the node that calls it
    if (auto found = place_of_.find(name); found != place_of_.end())
      return absl::StrCat(name, " created at ", places_[found->second]);
  }
  return "";
}

}  // namespace sluice::master
