// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_OP_LIST_H_
#define SLUICE_SERVER_OP_LIST_H_

#include <string>

namespace sluice::server {

// Every op, with the devices and dtypes that have a kernel; a line each.
std::string ListOps();

// The ops that have a kernel as a page: dtypes, gradient, and what differs from TensorFlow.
std::string OpsAsMarkdown();

}  // namespace sluice::server

#endif  // SLUICE_SERVER_OP_LIST_H_
