// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_LOG_H_
#define SLUICE_CORE_LOG_H_

#include "core/status.h"

namespace sluice {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kOff };

// "debug", "info", "warning", "error" or "off", in any case; or 0 to 3, which count as TensorFlow's
// TF_CPP_MIN_LOG_LEVEL does: info, warning, error, off. INVALID_ARGUMENT for anything else.
absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view text);

// Sets the level of this process: `level` if it is not empty, else that of the environment variable
// SLUICE_LOG_LEVEL, else `otherwise`. INVALID_ARGUMENT names the wrong value.
absl::Status ConfigureLog(LogLevel otherwise, absl::string_view level = "");
// Appends later lines to this file instead of stderr.
absl::Status SetLogFile(const std::string& path);

// Drops lines below `level`. A process that calls neither this nor ConfigureLog uses
// SLUICE_LOG_LEVEL, or kWarning: a library writes nothing else to the user's terminal unasked.
// Threads: any.
void SetLogLevel(LogLevel level);
bool LogEnabled(LogLevel level);

// Writes one line in one piece. Call Log instead.
void LogLine(LogLevel level, absl::string_view message);

// Log(LogLevel::kInfo, "listening on ", address): time, level and the arguments, concatenated as
// errors are.
template <typename... Args>
void Log(LogLevel level, const Args&... args) {
  if (LogEnabled(level)) LogLine(level, Cat(args...));
}

}  // namespace sluice

#endif  // SLUICE_CORE_LOG_H_
