#ifndef SLUICE_CORE_LOG_H_
#define SLUICE_CORE_LOG_H_

#include "core/status.h"

namespace sluice {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// Lines below `level` are dropped; kInfo at the start. Threads: any.
void SetLogLevel(LogLevel level);
bool LogEnabled(LogLevel level);

// Writes one line to stderr, at once and whole. Use Log.
void LogLine(LogLevel level, absl::string_view message);

// Log(LogLevel::kInfo, "listening on ", address): time, level and the arguments, concatenated as
// errors are.
template <typename... Args>
void Log(LogLevel level, const Args&... args) {
  if (LogEnabled(level)) LogLine(level, Cat(args...));
}

}  // namespace sluice

#endif  // SLUICE_CORE_LOG_H_
