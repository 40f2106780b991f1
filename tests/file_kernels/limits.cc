// SPDX-License-Identifier: Apache-2.0
#include "tests/file_kernels/limits.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "absl/base/attributes.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/io/file.h"
#include "gtest/gtest.h"

// Weak: absent without a sanitizer.
extern "C" ABSL_ATTRIBUTE_WEAK void __sanitizer_set_death_callback(void (*callback)());

namespace sluice::kernels {
namespace {

struct Current {
  InputLimits limits;
  std::string name, path;
  const std::string* bytes = nullptr;  // null between inputs
  absl::Time begin;
};

absl::Mutex mu(absl::kConstInit);
Current current ABSL_GUARDED_BY(mu);
int64_t first_peak = -1;

void Print(const char* text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

// Called where the process dies: it takes no lock and allocates nothing.
void PrintInput() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (current.bytes == nullptr) return;
  const int file = open(current.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  (void)!write(file, current.bytes->data(), current.bytes->size());
  close(file);
  Print("\nthe input was ");
  Print(current.name.c_str());
  Print("; its bytes are in ");
  Print(current.path.c_str());
  Print("\n");
}

void PrintAndDie(int signal) {
  PrintInput();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void WatchTime() {
  for (;;) {
    absl::SleepFor(absl::Milliseconds(200));
    absl::MutexLock lock(&mu);
    if (current.bytes == nullptr || absl::Now() - current.begin < current.limits.time) continue;
    Print("\nan input takes too long");
    PrintInput();
    _exit(1);
  }
}

void Install() {
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(&PrintInput);
  } else {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
      std::signal(signal, &PrintAndDie);
  }
  std::thread(&WatchTime).detach();
}

// The most bytes that were resident since the last call.
int64_t TakePeak() {
  int64_t peak = 0;
  if (std::FILE* status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof(line), status) != nullptr)
      if (std::sscanf(line, "VmHWM: %ld kB", &peak) == 1) break;
    std::fclose(status);
  }
  const int reset = open("/proc/self/clear_refs", O_WRONLY);
  (void)!write(reset, "5", 1);
  close(reset);
  return peak << 10;
}

}  // namespace

void BeginInput(const InputLimits& limits, const std::string& name, const std::string& bytes) {
  static const bool installed = (Install(), true);
  (void)installed;
  if (first_peak < 0) first_peak = TakePeak();
  absl::MutexLock lock(&mu);
  current = {limits, name, testing::TempDir() + "/mutated_file", &bytes, absl::Now()};
}

void EndInput() {
  const int64_t peak = TakePeak() - first_peak;
  absl::MutexLock lock(&mu);
  if (peak > current.limits.memory) {
    std::fprintf(stderr, "\nan input takes %ld MiB", peak >> 20);
    PrintInput();
    _exit(1);
  }
  current.bytes = nullptr;
}

void FillNewMemory(int byte) {
  // M_PERTURB fills with the complement.
  mallopt(M_PERTURB, ~byte & 0xff);
}

}  // namespace sluice::kernels
