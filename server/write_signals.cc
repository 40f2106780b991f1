// SPDX-License-Identifier: Apache-2.0
#include "server/write_signals.h"

#include <signal.h>

namespace sluice::server {

void IgnoreWriteSignals() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace sluice::server
