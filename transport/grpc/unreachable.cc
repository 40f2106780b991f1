// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/unreachable.h"

#include <utility>

#include "absl/strings/match.h"
#include "transport/credentials.h"

namespace sluice::transport {
namespace {

bool FailedHandshake(absl::string_view words) { return absl::StrContains(words, "SSL_ERROR_SSL"); }

// The other side did not answer in TLS.
bool SpeaksNoTls(absl::string_view words) {
  return absl::StrContains(words, "wrong version number");
}

}  // namespace

absl::Status Unreachable(const std::string& who, const std::string& words) {
  if (!FailedHandshake(words)) return Unavailable(who, " cannot be reached: ", words);
  const char* why = SpeaksNoTls(words) ? "this side speaks TLS, and it does not: " : "";
  return MarkDistrust(Unavailable(who, " cannot be reached: ", why, words));
}

bool HungUp(const std::string& words) {
  return absl::StrContains(words, "failed to connect") &&
         (absl::StrContains(words, "Socket closed") ||
          absl::StrContains(words, "Connection reset"));
}

absl::Status WhyItHungUp(const std::string& who, const absl::Status& answer, absl::Status status) {
  // This process does not trust the server's certificate, which proves that it uses TLS.
  const bool by_tls = (IsDistrust(answer) && !SpeaksNoTls(answer.message())) ||
                      absl::IsUnimplemented(answer) || absl::IsUnauthenticated(answer);
  if (!by_tls) return status;
  return MarkDistrust(
      Unavailable(who, " cannot be reached: it speaks TLS, and this side does not"));
}

}  // namespace sluice::transport
