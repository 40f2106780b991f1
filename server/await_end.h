// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_AWAIT_END_H_
#define SLUICE_SERVER_AWAIT_END_H_

#include <signal.h>
#include <sys/types.h>

#include <string>

namespace sluice::server {

// Waits until one of `signals` arrives or the process `parent` is gone. Returns the reason, for the
// log.
//
// REQUIRES: every thread blocks `signals`; `parent` started this process, or is 0 for no parent.
// The kernel's signal for the death of a parent is not used: it is sent when the parent's thread
// ends, and a program may start a server from a thread that ends soon.
std::string AwaitEnd(const sigset_t& signals, pid_t parent);

}  // namespace sluice::server

#endif  // SLUICE_SERVER_AWAIT_END_H_
