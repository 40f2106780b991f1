// SPDX-License-Identifier: Apache-2.0
// Ends sluice-server with a message where its instructions would end it with SIGILL.

#include <string.h>
#include <unistd.h>

#include "core/cpu_features.h"

namespace {

void Say(const char* text) {
  // If stderr is closed, nothing can be done.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, strlen(text));
}

// Runs before the constructors of other files, which may use any instruction of the build.
constexpr int kFirst = 101;

__attribute__((constructor(kFirst))) void RefuseOlderProcessors() {
  const char* missing = sluice_missing_cpu_feature();
  if (missing == nullptr) return;
  Say("sluice-server: this build needs ");
  Say(missing);
  Say(", which this processor does not have; configure the build with -DSLUICE_MARCH=x86-64\n");
  _exit(1);
}

}  // namespace
