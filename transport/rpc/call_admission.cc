// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/call_admission.h"

#include <grpc/grpc_security_constants.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>

#include "transport/backends/grpc/stream_server.h"
#include "transport/credentials.h"
#include "transport/grpc/target.h"

namespace sluice::transport {
namespace {

// Calls that succeed only if the caller has a session or runs steps for one.
constexpr std::array<absl::string_view, 6> kOfSessions = {
    "/tensorflow.MasterService/CreateSession", "/tensorflow.MasterService/RunStep",
    "/tensorflow.MasterService/RunCallable",   "/tensorflow.MasterService/PartialRunSetup",
    "/tensorflow.WorkerService/RegisterGraph", "/tensorflow.WorkerService/RunGraph",
};

// Calls for which this task calls all others.
constexpr std::array<absl::string_view, 3> kToAllTasks = {
    "/tensorflow.MasterService/CreateSession",
    "/tensorflow.MasterService/ListDevices",
    "/tensorflow.MasterService/Reset",
};

template <size_t N>
bool Contains(const std::array<absl::string_view, N>& methods, absl::string_view method) {
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

// What a call takes of its client's budget. A known client has paid for its steps.
int CostOf(absl::string_view method, const OpenConnection& connection) {
  if (Contains(kToAllTasks, method)) return 4;
  return connection.known() ? 0 : 1;
}

// The name in the client's certificate; empty if it has shown none.
std::string CertificateName(const grpc::ServerContext& call) {
  const auto context = call.auth_context();
  if (context == nullptr) return "";
  const auto names = context->FindPropertyValues(GRPC_X509_CN_PROPERTY_NAME);
  return names.empty() ? "" : std::string(names[0].data(), names[0].size());
}

std::string PeerName(const grpc::ServerContext& call, const OpenConnection* connection) {
  return connection == nullptr ? call.peer() : connection->peer().ToString();
}

// A client may choose any.
std::string Shortened(const std::string& method) {
  constexpr size_t kMost = 100;
  return method.size() <= kMost ? method : method.substr(0, kMost) + "...";
}

}  // namespace

CallAdmission::CallAdmission(std::string task, const std::string& token, AdmissionLog* log,
                             ConnectionTable* connections)
    : task_(std::move(task)),
      authorization_(token.empty() ? "" : absl::StrCat(kBearer, token)),
      log_(log),
      connections_(connections) {}

absl::Status CallAdmission::Admit(const grpc::GenericServerContext& call,
                                  OpenConnection* connection) const {
  if (connection != nullptr) {
    const int cost = CostOf(call.method(), *connection);
    if (cost > 0) SLUICE_RETURN_IF_ERROR(connections_->MayCall(*connection, cost));
  }
  if (!authorization_.empty()) {
    const auto shown = call.client_metadata().find(kAuthorization);
    const bool none = shown == call.client_metadata().end();
    if (none || !SameSecret({shown->second.data(), shown->second.size()}, authorization_)) {
      log_->Refused("refuses ", PeerName(call, connection), ", which calls ",
                    Shortened(call.method()), none ? " without a token" : " with a wrong token");
      if (none)
        return absl::UnauthenticatedError(
            Cat(call.method(), " of ", task_,
                " requires the cluster's token, and the call has none: clients read it from the "
                "file that SLUICE_TOKEN_FILE names, servers from --token_file"));
      return absl::UnauthenticatedError(
          Cat(call.method(), " of ", task_, ": the token of the call is not this cluster's"));
    }
  }
  if (connection != nullptr && connection->AdmitsFirstCall()) {
    if (!authorization_.empty()) connection->HoldMuch();
    const std::string name = CertificateName(call);
    log_->Admitted("admits ", PeerName(call, connection), ", which calls ",
                   Shortened(call.method()),
                   name.empty() ? "" : Cat(", with the certificate of \"", name, "\""),
                   authorization_.empty() ? "" : ", with the cluster's token");
  }
  if (connection != nullptr && call.method() == kTensorStreamMethod) {
    connection->BeginsStream();
    connections_->BecomesKnown(connection);
  }
  return absl::OkStatus();
}

void CallAdmission::Succeeded(absl::string_view method, OpenConnection* connection) const {
  if (connection == nullptr || connection->known()) return;
  if (Contains(kOfSessions, method)) connections_->BecomesKnown(connection);
}

void CallAdmission::Cancelled(OpenConnection* connection) const {
  if (connection == nullptr || connection->MayCancel()) return;
  connections_->EndHarmful(
      *connection, Cat("it cancelled ", OpenConnection::kCancelledPerSecond, " calls in a second"));
}

}  // namespace sluice::transport
