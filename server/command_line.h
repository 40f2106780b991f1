// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_COMMAND_LINE_H_
#define SLUICE_SERVER_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "core/io/file_policy.h"
#include "core/log.h"
#include "server/server.h"

namespace sluice::server {

// A CommandLine is the parsed command line of sluice-server.
struct CommandLine {
  enum class Action {
    kServe,      // run the task that `options` describes
    kPrintText,  // print `text`: the help or the version
    kListOps,    // the three lists of server/op_list.h and transport/options_table.h
    kOpPage,
    kListOptions,
    kRdmaReport,  // transport/backends/rdma/report.h
  };
  Action action = Action::kServe;
  std::string text;
  ServerOptions options;
  std::string log_level, log_file;  // empty: the defaults
  FilePolicy files;
  int64_t memory_limit = 0;  // bytes of this process; 0: 90 % of the machine's
  int parent = 0;            // end when this process ends; 0: none

  // `arguments` without the program's name; `tf_config`: the value of TF_CONFIG, or null. Dashes
  // and underscores are equal in option names. Errors name the option, or the variable, and its
  // allowed values.
  static absl::StatusOr<CommandLine> Parse(const std::vector<std::string>& arguments,
                                           const char* tf_config);
};

}  // namespace sluice::server

#endif  // SLUICE_SERVER_COMMAND_LINE_H_
