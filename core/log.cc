#include "core/log.h"

#include <unistd.h>

#include <atomic>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace sluice {
namespace {
std::atomic<LogLevel> lowest{LogLevel::kInfo};
}  // namespace

void SetLogLevel(LogLevel level) { lowest.store(level, std::memory_order_relaxed); }
bool LogEnabled(LogLevel level) { return level >= lowest.load(std::memory_order_relaxed); }

void LogLine(LogLevel level, absl::string_view message) {
  static const absl::TimeZone zone = absl::LocalTimeZone();
  const std::string line = absl::StrCat(
      absl::FormatTime("%Y-%m-%d %H:%M:%E6S", absl::Now(), zone), " ",
      absl::string_view("DIWE").substr(static_cast<size_t>(level), 1), " ", message, "\n");
  // One write, so that lines of several threads and processes do not mix. Nothing can be done where
  // stderr is gone.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace sluice
