// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_OP_LIST_H_
#define SLUICE_SERVER_OP_LIST_H_

#include <string>

namespace sluice::server {

// Every op, with the devices and dtypes that have a kernel; one line each.
std::string ListOps();

// The page of ops that have a kernel: dtypes, gradient, and differences from TensorFlow.
std::string OpsAsMarkdown();

}  // namespace sluice::server

#endif  // SLUICE_SERVER_OP_LIST_H_
