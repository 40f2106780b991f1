// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_CALL_ADMISSION_H_
#define SLUICE_TRANSPORT_RPC_CALL_ADMISSION_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/status.h"
#include "transport/admission/connection_table.h"

namespace grpc {
class GenericServerContext;
}

namespace sluice::transport {

// Decides which calls a task answers, and logs it.
//
// Threads:  any.
class CallAdmission {
 public:
  // If `token` is empty, calls need none. `log` and `connections` outlive this.
  CallAdmission(std::string task, const std::string& token, AdmissionLog* log,
                ConnectionTable* connections);

  // UNAUTHENTICATED if the call does not show this cluster's token, RESOURCE_EXHAUSTED if its
  // client makes too many. Below, `connection` is the call's, or null if it has closed.
  absl::Status Admit(const grpc::GenericServerContext& call, OpenConnection* connection) const;
  // A call succeeded: its client is known now if only clients with a session make such calls.
  void Succeeded(absl::string_view method, OpenConnection* connection) const;
  // A connection with too many of them ends.
  void Cancelled(OpenConnection* connection) const;

 private:
  const std::string task_;
  const std::string authorization_;  // the header's value; empty: no token
  AdmissionLog* const log_;
  ConnectionTable* const connections_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_CALL_ADMISSION_H_
