// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_OPTIONS_TABLE_H_
#define SLUICE_TRANSPORT_OPTIONS_TABLE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/status.h"

namespace google::protobuf {
class Message;
}

namespace sluice::transport {

// The treatment of a field that a client can set: one row for each field. Servers check against the
// table; docs/configuration.md is printed from it.
struct OptionField {
  enum class Fate {
    kApplied,
    kIgnored,  // accepted, and without effect: TensorFlow's servers ignore it too, or it is a hint
    kRefused,  // ignoring it would change a result, or TensorFlow's servers refuse it
  };
  absl::string_view path;  // "ConfigProto.graph_options.infer_shapes", "RunOptions.trace_level"
  Fate fate;
  absl::string_view why;  // of an applied one: what it does
};
absl::Span<const OptionField> OptionTable();

// INVALID_ARGUMENT where TensorFlow's servers say so, else UNIMPLEMENTED, naming the first refused
// field that is set (to anything but its default). `root`: "ConfigProto" or "RunOptions".
absl::Status CheckOptions(const google::protobuf::Message& options, absl::string_view root);
// The ignored fields that are set, for one line of log.
std::vector<std::string> IgnoredOptions(const google::protobuf::Message& options,
                                        absl::string_view root);
// docs/configuration.md.
std::string OptionsAsMarkdown();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_OPTIONS_TABLE_H_
