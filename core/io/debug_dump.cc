// SPDX-License-Identifier: Apache-2.0
#include "core/io/debug_dump.h"

#include <atomic>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "core/codec/codec.h"
#include "core/io/atomic_file.h"
#include "core/io/file.h"
#include "core/log.h"
#include "core/stable_hash.h"
#include "proto/event.pb.h"

namespace sluice {
namespace {

constexpr uint64_t kDefaultDiskLimit = 100'000'000'000;

std::atomic<uint64_t>& DiskBytes() {
  static std::atomic<uint64_t> bytes{0};
  return bytes;
}

uint64_t DiskLimit() {
  static const uint64_t limit = [] {
    uint64_t bytes = 0;
    const char* text = std::getenv("TFDBG_DISK_BYTES_LIMIT");
    return text != nullptr && absl::SimpleAtoi(text, &bytes) ? bytes : kDefaultDiskLimit;
  }();
  return limit;
}

// The time, but greater than in any earlier call. So file names differ, and a reader that sorts by
// time sees causes before effects.
int64_t UniqueMicros() {
  static std::atomic<int64_t> last{0};
  int64_t before = last.load();
  int64_t now = 0;
  do {
    now = std::max(absl::GetCurrentTimeNanos() / 1000, before + 1);
  } while (!last.compare_exchange_weak(before, now));
  return now;
}

std::string DeviceFolder(const std::string& device) {
  return absl::StrCat("_tfdbg_device_", absl::StrReplaceAll(device, {{"/", ","}, {":", "_"}}));
}

std::string Quoted(absl::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      absl::StrAppend(&json, "\\", absl::string_view(&c, 1));
    else if (static_cast<unsigned char>(c) < 0x20)
      absl::StrAppendFormat(&json, "\\u%04x", c);
    else
      json.push_back(c);
  }
  return absl::StrCat(json, "\"");
}

std::string JsonList(const std::vector<std::string>& names) {
  return absl::StrCat(
      "[",
      absl::StrJoin(names, ",",
                    [](std::string* out, const std::string& name) { *out += Quoted(name); }),
      "]");
}

// `name`: the file's path below the URL's folder.
absl::Status WriteEvent(const proto::Event& event, const std::string& name,
                        absl::Span<const std::string> urls) {
  std::string bytes;
  if (!event.SerializeToString(&bytes))
    return ResourceExhausted(name, " would be larger than a message may be (2 GiB)");
  for (const std::string& url : urls) {
    const std::string path = absl::StrCat(url, "/", name);
    SLUICE_RETURN_IF_ERROR(MakeFoldersAbove(path));
    SLUICE_ASSIGN(std::unique_ptr<AtomicFile> file, AtomicFile::Create(path));
    SLUICE_RETURN_IF_ERROR(file->Append(bytes));
    SLUICE_RETURN_IF_ERROR(file->Commit());
  }
  return absl::OkStatus();
}

absl::Status TakeDiskBytes(const DebugKey& key, uint64_t bytes) {
  if (DiskBytes().fetch_add(bytes) + bytes <= DiskLimit()) return absl::OkStatus();
  DiskBytes().fetch_sub(bytes);
  return ResourceExhausted("TensorFlow Debugger has exhausted file-system byte-size allowance (",
                           DiskLimit(), "), therefore it cannot dump an additional ", bytes,
                           " byte(s) of tensor data for the debug tensor ", key.node, ":",
                           key.output,
                           ". You may use the environment variable TFDBG_DISK_BYTES_LIMIT to set "
                           "a higher limit.");
}

// A value that cannot be written (an iterator, for example) does not fail the step.
void Describe(const DebugKey& key, const Tensor& value, proto::TensorProto* to) {
  const bool initialized = value.raw() != nullptr || value.num_elements() == 0;
  if (initialized) {
    const absl::Status status = EncodeTensor(value, to, TensorForm::kReadable);
    if (status.ok()) return;
    Log(LogLevel::kWarning, "the dump of ", key.node, ":", key.output,
        " has no value: ", status.message());
    to->Clear();
  }
  to->set_dtype(static_cast<proto::DataType>(value.dtype()));
  EncodeShape(PartialShape(value.shape()), to->mutable_tensor_shape());
}

}  // namespace

absl::Status DumpDebugTensor(const DebugKey& key, const Tensor& value,
                             absl::Span<const std::string> urls) {
  if (urls.empty()) return absl::OkStatus();
  SLUICE_RETURN_IF_ERROR(TakeDiskBytes(key, value.bytes() * urls.size()));
  const int64_t now = UniqueMicros();
  proto::Event event;
  event.set_wall_time(static_cast<double>(now));
  proto::Summary::Value* written = event.mutable_summary()->add_value();
  written->set_tag(key.node);
  written->set_node_name(absl::StrCat(key.node, ":", key.output, ":", key.op));
  Describe(key, value, written->mutable_tensor());
  proto::SummaryMetadata::PluginData* plugin = written->mutable_metadata()->mutable_plugin_data();
  plugin->set_plugin_name("debugger");
  plugin->set_content(absl::StrCat("{\"device\":", Quoted(key.device), ",\"outputSlot\":",
                                   key.output, ",\"numChunks\":1,\"chunkIndex\":0}"));
  return WriteEvent(
      event,
      absl::StrCat(DeviceFolder(key.device), "/", key.node, "_", key.output, "_", key.op, "_", now),
      urls);
}

absl::Status DumpDebugGraph(const std::string& device, const std::string& graph,
                            absl::Span<const std::string> urls) {
  const int64_t now = UniqueMicros();
  proto::Event event;
  event.set_wall_time(static_cast<double>(now));
  event.set_graph_def(graph);
  return WriteEvent(
      event, absl::StrCat(DeviceFolder(device), "/_tfdbg_graph_hash", StableHash(graph), "_", now),
      urls);
}

absl::Status DumpDebuggedStep(const DebuggedStep& step, absl::Span<const std::string> urls) {
  const int64_t now = UniqueMicros();
  proto::Event event;
  event.set_wall_time(static_cast<double>(now));
  event.mutable_log_message()->set_message(absl::StrCat(
      "{\"global_step\":", step.global_step, ",\"session_run_index\":", step.session_run,
      ",\"executor_step_index\":", step.executor_step, ",\"input_names\":", JsonList(step.feeds),
      ",\"output_names\":", JsonList(step.fetches), ",\"target_nodes\":", JsonList(step.targets),
      "}"));
  return WriteEvent(
      event, absl::StrFormat("_tfdbg_core_metadata_sessionrun%014d_%d", step.session_run, now),
      urls);
}

void ResetDebugDiskUsage() { DiskBytes().store(0); }

}  // namespace sluice
