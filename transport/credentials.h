// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_CREDENTIALS_H_
#define SLUICE_TRANSPORT_CREDENTIALS_H_

#include <string>

#include "core/status.h"

namespace sluice::transport {

// The files with which a process proves its identity and verifies that of others. Certificates and
// keys are PEM.
struct CredentialFiles {
  std::string ca = "";    // authority that signs the certificates of the other side; empty: no TLS
  std::string cert = "";  // of this process: servers need it, clients only if servers ask for it
  std::string key = "";   // the key of `cert`
  // the file of the cluster's token, which every call carries; empty: no token
  std::string token = "";
};
// The files that SLUICE_TLS_CA, SLUICE_TLS_CERT, SLUICE_TLS_KEY and SLUICE_TOKEN_FILE name: the
// default of a client.
CredentialFiles CredentialFilesOfEnvironment();

// The contents of the files.
struct Credentials {
  std::string ca = "", cert = "", key = "", token = "";
  bool tls() const { return !ca.empty(); }
};
// NOT_FOUND names a file that cannot be read. INVALID_ARGUMENT names a file that is missing beside
// another, or is malformed. No message shows the content of a file.
absl::StatusOr<Credentials> ReadCredentials(const CredentialFiles& files);

// Marks the reason why a peer could not be reached: the two do not agree on TLS, or do not trust
// each other. Such an error lasts until one of them is restarted, unlike a peer that is down.
absl::Status MarkDistrust(absl::Status status);
bool IsDistrust(const absl::Status& status);

// Compares in constant time, so that a caller cannot guess a secret byte by byte.
bool SameSecret(absl::string_view a, absl::string_view b);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_CREDENTIALS_H_
