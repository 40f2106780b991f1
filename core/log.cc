// SPDX-License-Identifier: Apache-2.0
#include "core/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/log_writer.h"

namespace sluice {
namespace {

constexpr const char* kVariable = "SLUICE_LOG_LEVEL";
constexpr absl::string_view kNames[] = {"debug", "info", "warning", "error", "off"};
constexpr int kNotConfigured = -1;

std::atomic<int> lowest{kNotConfigured};

constexpr absl::Duration kLastLines = absl::Seconds(1);  // at the end, for a slow reader

LogWriter& Writer() {
  static LogWriter* const writer = [] {  // never destroyed: threads may outlive main
    std::atexit([] { Writer().Flush(kLastLines); });
    return new LogWriter(STDERR_FILENO);
  }();
  return *writer;
}

absl::StatusOr<LogLevel> LevelFrom(absl::string_view source, absl::string_view text) {
  auto level = ParseLogLevel(text);
  if (level.ok()) return level;
  return InvalidArgument(source, ": ", level.status().message());
}

// A library cannot stop the program, so a wrong level is reported once.
int LowestFromEnvironment() {
  const absl::Status status = ConfigureLog(LogLevel::kWarning);
  if (!status.ok()) {
    SetLogLevel(LogLevel::kWarning);
    LogLine(LogLevel::kWarning, status.message());
  }
  return lowest.load(std::memory_order_relaxed);
}

}  // namespace

absl::StatusOr<LogLevel> ParseLogLevel(absl::string_view text) {
  const std::string name = absl::AsciiStrToLower(absl::StripAsciiWhitespace(text));
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<LogLevel>(i);
  }
  if (name.size() == 1 && name[0] >= '0' && name[0] <= '3')
    return static_cast<LogLevel>(name[0] - '0' + static_cast<int>(LogLevel::kInfo));
  return InvalidArgument("\"", text,
                         "\" is not a log level; the levels are debug, info, warning, error and "
                         "off, or 0 to 3 for info to off");
}

absl::Status ConfigureLog(LogLevel otherwise, absl::string_view level) {
  const char* variable = std::getenv(kVariable);
  if (!level.empty()) {
    SLUICE_ASSIGN(otherwise, LevelFrom("--log_level", level));
  } else if (variable != nullptr && *variable != '\0') {
    SLUICE_ASSIGN(otherwise, LevelFrom(kVariable, variable));
  }
  SetLogLevel(otherwise);
  return absl::OkStatus();
}

absl::Status SetLogFile(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) {
    return MakeStatus(absl::ErrnoToStatusCode(errno), "cannot write the log file \"", path,
                      "\": ", std::strerror(errno));
  }
  // The file of an earlier call stays open, because another thread may be writing to it.
  Writer().set_descriptor(file);
  return absl::OkStatus();
}

void SetLogLevel(LogLevel level) {
  lowest.store(static_cast<int>(level), std::memory_order_relaxed);
}

bool LogEnabled(LogLevel level) {
  int low = lowest.load(std::memory_order_relaxed);
  if (low == kNotConfigured) low = LowestFromEnvironment();
  return static_cast<int>(level) >= low;
}

void LogLine(LogLevel level, absl::string_view message) {
  static const absl::TimeZone zone = absl::LocalTimeZone();
  Writer().Write(absl::StrCat(absl::FormatTime("%Y-%m-%d %H:%M:%E6S", absl::Now(), zone), " ",
                              absl::string_view("DIWE").substr(static_cast<size_t>(level), 1), " ",
                              EscapeControls(message), "\n"));
}

}  // namespace sluice
