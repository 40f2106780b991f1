// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_CREDENTIALS_H_
#define SLUICE_TRANSPORT_CREDENTIALS_H_

#include <string>

#include "core/status.h"

namespace sluice::transport {

// The files with which a process proves who it is, and by which it knows whom to trust.
// Certificates and keys are PEM.
struct CredentialFiles {
  std::string ca = "";     // whose signature the other side's certificate must have; empty: no TLS
  std::string cert = "";   // of this process: a server needs it, a client if servers ask for it
  std::string key = "";    // of `cert`
  std::string token = "";  // holds the cluster's token, which every call carries; empty: none does
};
// The files that SLUICE_TLS_CA, SLUICE_TLS_CERT, SLUICE_TLS_KEY and SLUICE_TOKEN_FILE name: the
// default of a client.
CredentialFiles CredentialFilesOfEnvironment();

// The contents of the files.
struct Credentials {
  std::string ca = "", cert = "", key = "", token = "";
  bool tls() const { return !ca.empty(); }
};
// NOT_FOUND names a file that cannot be read; INVALID_ARGUMENT what is missing beside another, or
// malformed. No message shows what is in a file.
absl::StatusOr<Credentials> ReadCredentials(const CredentialFiles& files);

// Marks why a peer could not be reached: the two do not agree on TLS, or do not trust each other.
// Unlike a peer that is down, that stays so until one of them is started anew.
absl::Status MarkDistrust(absl::Status status);
bool IsDistrust(const absl::Status& status);

// Compares in constant time, so that a caller cannot find a secret letter by letter.
bool SameSecret(absl::string_view a, absl::string_view b);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CREDENTIALS_H_
