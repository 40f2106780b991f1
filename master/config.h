#ifndef SLUICE_MASTER_CONFIG_H_
#define SLUICE_MASTER_CONFIG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice::proto {
class ConfigProto;
}

namespace sluice::master {

// What a session does with its ConfigProto; a field is applied, ignored (TensorFlow's server
// ignores it too), or refused by name because ignoring it would change a result.
struct SessionConfig {
  bool allow_soft_placement = false;
  bool log_device_placement = false;
  bool isolate_session_state = false;
  bool static_graph = false;         // experimental.optimize_for_static_graph: no extension
  int64_t operation_timeout_ms = 0;  // 0: none
  std::vector<std::string> device_filters;

  static absl::StatusOr<SessionConfig> From(const proto::ConfigProto& config);
};

// One row for every field, for the docs and for the test that no field was forgotten.
struct ConfigField {
  enum class Fate { kApplied, kIgnored, kRefused };
  absl::string_view field;  // "graph_options.optimizer_options.opt_level"
  Fate fate;
  absl::string_view why;
};
std::vector<ConfigField> ConfigTable();

}  // namespace sluice::master

#endif  // SLUICE_MASTER_CONFIG_H_
