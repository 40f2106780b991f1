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

// The treatment of a field that a client can set, one row per field. Servers check requests against
// the table; docs/configuration.md is generated from it.
struct OptionField {
  enum class Fate {
    kApplied,
    kIgnored,  // accepted without effect: TensorFlow's servers ignore it too, or it is a hint
    kRefused,  // ignoring it would change a result, or TensorFlow's servers refuse it
  };
  absl::string_view path;  // "ConfigProto.graph_options.infer_shapes", "RunOptions.trace_level"
  Fate fate;
  absl::string_view why;  // for an applied field: its effect
};
absl::Span<const OptionField> OptionTable();

// Reports the first refused field that is set to a value other than its default. INVALID_ARGUMENT
// where TensorFlow's servers return it, else UNIMPLEMENTED. `root`: "ConfigProto" or "RunOptions".
absl::Status CheckOptions(const google::protobuf::Message& options, absl::string_view root);
// The ignored fields that are set, for one log line.
std::vector<std::string> IgnoredOptions(const google::protobuf::Message& options,
                                        absl::string_view root);
// The text of docs/configuration.md.
std::string OptionsAsMarkdown();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_OPTIONS_TABLE_H_
