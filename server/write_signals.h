// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_WRITE_SIGNALS_H_
#define SLUICE_SERVER_WRITE_SIGNALS_H_

namespace sluice::server {

// Turns the signals for a write that fails into errors of the write: SIGPIPE (nobody reads the pipe
// any more) and SIGXFSZ (the file is larger than RLIMIT_FSIZE). By default each ends the process.
void IgnoreWriteSignals();

}  // namespace sluice::server

#endif  // SLUICE_SERVER_WRITE_SIGNALS_H_
