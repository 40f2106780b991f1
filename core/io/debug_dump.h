// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_DEBUG_DUMP_H_
#define SLUICE_CORE_IO_DEBUG_DUMP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/tensor/tensor.h"

// The files that TensorFlow's debugger reads (tf_debug.DebugDumpDir). Each holds one serialised
// Event, and appears whole. Below the folder of a "file://" URL:
//
//   _tfdbg_core_metadata_sessionrun<run, 14 digits>_<us>          one for each watched step
//   _tfdbg_device_<device, "/" as ",", ":" as "_">/
//       _tfdbg_graph_hash<hash>_<us>                              the graph that runs there
//       <node>_<output>_<debug op>_<us>                           a tensor; "/" makes folders
//
// <us> are microseconds since 1970, greater for every file of this process.

namespace sluice {

// The debug op that writes a tensor.
struct DebugKey {
  std::string device;  // full name
  std::string node;    // the watched node
  int output = 0;
  std::string op;  // "DebugIdentity"
};

// REQUIRES: host memory. For a tensor without a buffer, only dtype and shape are written.
// RESOURCE_EXHAUSTED if this process would exceed TFDBG_DISK_BYTES_LIMIT (default 100 GB).
absl::Status DumpDebugTensor(const DebugKey& key, const Tensor& value,
                             absl::Span<const std::string> urls);
// `graph`: a serialised GraphDef.
absl::Status DumpDebugGraph(const std::string& device, const std::string& graph,
                            absl::Span<const std::string> urls);

// A watched step, with its client's options.
struct DebuggedStep {
  int64_t global_step = -1;
  int64_t session_run = 0;    // of all steps of the session
  int64_t executor_step = 0;  // of steps with the same feeds, fetches, targets and watches
  std::vector<std::string> feeds, fetches, targets;
};
absl::Status DumpDebuggedStep(const DebuggedStep& step, absl::Span<const std::string> urls);

// Resets the count of bytes written so far.
void ResetDebugDiskUsage();

}  // namespace sluice

#endif  // SLUICE_CORE_IO_DEBUG_DUMP_H_
