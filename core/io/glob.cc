// SPDX-License-Identifier: Apache-2.0
#include "core/io/glob.h"

#include <dirent.h>
#include <glob.h>
#include <sys/stat.h>

#include <cerrno>

#include "absl/time/clock.h"
#include "core/threads/cancel_scope.h"

namespace sluice {
namespace {

// One call of glob(3), whose callbacks have no argument for it.
class Search {
 public:
  explicit Search(const GlobLimits& limits) : limits_(limits) { innermost = this; }
  ~Search() {
    globfree(&found_);
    innermost = outer_;
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  absl::StatusOr<std::vector<std::string>> Run(const std::string& pattern) {
    found_.gl_opendir = [](const char* path) -> void* {
      return innermost->MayGoOn() ? opendir(path) : nullptr;
    };
    found_.gl_readdir = [](void* folder) -> dirent* {
      return innermost->MayGoOn() ? readdir(static_cast<DIR*>(folder)) : nullptr;
    };
    found_.gl_closedir = [](void* folder) { closedir(static_cast<DIR*>(folder)); };
    found_.gl_lstat = lstat;
    found_.gl_stat = stat;
    const auto failed = [](const char*, int) { return innermost->stopped_ ? 1 : 0; };
    const int result =
        glob(pattern.c_str(), GLOB_PERIOD | GLOB_NOSORT | GLOB_ALTDIRFUNC, failed, &found_);
    ThrowIfCancelled();
    if (entries_ > limits_.entries) {
      return ResourceExhausted("the search for ", pattern, " ends after ", limits_.entries,
                               " entries of folders");
    }
    if (stopped_) {
      return DeadlineExceeded("the search for ", pattern, " ends after ",
                              absl::FormatDuration(limits_.time));
    }
    if (result == GLOB_NOSPACE) return ResourceExhausted("too many files match ", pattern);
    if (result != 0) return std::vector<std::string>();
    return std::vector<std::string>(found_.gl_pathv, found_.gl_pathv + found_.gl_pathc);
  }

 private:
  // False from the end of the search on: no exception may pass glob(3).
  bool MayGoOn() {
    constexpr int64_t kBetweenLooks = 1024;  // at the clock
    if (++entries_ > limits_.entries || CancelScope::Cancelled() ||
        (entries_ % kBetweenLooks == 0 && absl::Now() - began_ > limits_.time))
      stopped_ = true;
    if (stopped_) errno = ECANCELED;
    return !stopped_;
  }

  static thread_local Search* innermost;

  const GlobLimits limits_;
  const absl::Time began_ = absl::Now();
  Search* const outer_ = innermost;
  int64_t entries_ = 0;
  bool stopped_ = false;
  glob_t found_ = {};
};

thread_local Search* Search::innermost = nullptr;

}  // namespace

absl::StatusOr<std::vector<std::string>> Glob(const std::string& pattern,
                                              const GlobLimits& limits) {
  return Search(limits).Run(pattern);
}

}  // namespace sluice
