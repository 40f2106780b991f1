// SPDX-License-Identifier: Apache-2.0
#include "transport/credentials.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace sluice::transport {
namespace {

constexpr absl::string_view kDistrust = "sluice/distrust";

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The text of the file at `path`; empty if there is no path. `what` is for errors.
absl::StatusOr<std::string> ReadText(absl::string_view what, const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return NotFound("the file of ", what, ", \"", path, "\", cannot be read or is empty");
  return text.str();
}

absl::StatusOr<std::string> ReadPem(absl::string_view what, const std::string& path) {
  SLUICE_ASSIGN(std::string text, ReadText(what, path));
  if (!path.empty() && !absl::StrContains(text, "-----BEGIN "))
    return InvalidArgument("the file of ", what, ", \"", path, "\", is not PEM");
  return text;
}

absl::StatusOr<std::string> ReadToken(const std::string& path) {
  SLUICE_ASSIGN(const std::string text, ReadText("the token", path));
  std::string token(absl::StripAsciiWhitespace(text));
  // The token is sent in a header.
  const bool header = std::all_of(token.begin(), token.end(), absl::ascii_isgraph);
  if (!path.empty() && (token.empty() || !header))
    return InvalidArgument("the file of the token, \"", path,
                           "\", must hold one word of printable ASCII characters");
  return token;
}

}  // namespace

CredentialFiles CredentialFilesOfEnvironment() {
  return {FromEnvironment("SLUICE_TLS_CA"), FromEnvironment("SLUICE_TLS_CERT"),
          FromEnvironment("SLUICE_TLS_KEY"), FromEnvironment("SLUICE_TOKEN_FILE")};
}

absl::StatusOr<Credentials> ReadCredentials(const CredentialFiles& files) {
  if (files.cert.empty() != files.key.empty())
    return InvalidArgument(
        "a certificate requires its key, and the key its certificate: one is missing");
  if (files.ca.empty() && !files.cert.empty())
    return InvalidArgument(
        "a certificate is given without the authority's certificate, which checks the other "
        "side's");
  Credentials read;
  SLUICE_ASSIGN(read.ca, ReadPem("the authority's certificate", files.ca));
  SLUICE_ASSIGN(read.cert, ReadPem("the certificate", files.cert));
  SLUICE_ASSIGN(read.key, ReadPem("the key", files.key));
  SLUICE_ASSIGN(read.token, ReadToken(files.token));
  return read;
}

absl::Status MarkDistrust(absl::Status status) {
  if (!status.ok()) status.SetPayload(kDistrust, absl::Cord());
  return status;
}

bool IsDistrust(const absl::Status& status) {
  return !status.ok() && status.GetPayload(kDistrust).has_value();
}

bool SameSecret(absl::string_view a, absl::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char differ = 0;  // volatile: no compiler may leave the loop early
  for (size_t i = 0; i < a.size(); ++i) differ = static_cast<unsigned char>(differ | (a[i] ^ b[i]));
  return differ == 0;
}

}  // namespace sluice::transport
