// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/certificates.h"

#include <cstdlib>

#include "gtest/gtest.h"
#include "tests/paths.h"

namespace sluice::transport {

const std::string& CertificateFolder() {
  static const auto* const folder = [] {
    std::string path = testing::TempDir() + "/sluice-certificates-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    const std::string make = SourcePath("tests/make_certificates.sh ") + path;
    EXPECT_EQ(std::system(make.c_str()), 0) << make;  // NOLINT(bugprone-command-processor)
    return new std::string(path);
  }();
  return *folder;
}

CredentialFiles FilesOf(const std::string& name, const std::string& ca, const std::string& token) {
  const auto file = [](const std::string& named, const char* ending) {
    return named.empty() ? "" : absl::StrCat(CertificateFolder(), "/", named, ending);
  };
  return {file(ca, ".pem"), file(name, ".pem"), file(name, ".key"), file(token, "")};
}

Credentials CredentialsOf(const std::string& name, const std::string& ca,
                          const std::string& token) {
  const auto read = ReadCredentials(FilesOf(name, ca, token));
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() ? *read : Credentials();
}

}  // namespace sluice::transport
