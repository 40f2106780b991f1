// SPDX-License-Identifier: Apache-2.0
#include "transport/credentials.h"

#include <cstdlib>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/transport/certificates.h"

namespace sluice::transport {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Written(const std::string& name, const std::string& text) {
  std::string path = absl::StrCat(CertificateFolder(), "/", name);
  std::ofstream(path) << text;
  return path;
}

TEST(CredentialsTest, WithoutFilesThereIsNothing) {
  const auto read = ReadCredentials({});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_FALSE(read->tls());
  EXPECT_EQ(read->token, "");
}

TEST(CredentialsTest, AreWhatIsInTheFiles) {
  const Credentials read = CredentialsOf("task");
  EXPECT_TRUE(read.tls());
  EXPECT_THAT(read.cert, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_THAT(read.key, HasSubstr("PRIVATE KEY"));
  EXPECT_EQ(read.token.size(), 64u) << "the end of the line is no part of it";
}

TEST(CredentialsTest, AFileThatIsNotThereIsNamed) {
  CredentialFiles files = FilesOf("task");
  files.token = "/nowhere/token";
  const absl::Status status = ReadCredentials(files).status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("/nowhere/token"));
}

TEST(CredentialsTest, NamesTheFileMissingBesideAnother) {
  CredentialFiles files = FilesOf("task");
  files.key.clear();
  EXPECT_THAT(std::string(ReadCredentials(files).status().message()), HasSubstr("key"));
  files = FilesOf("task", /*ca=*/"");
  EXPECT_THAT(std::string(ReadCredentials(files).status().message()), HasSubstr("authority"));
}

TEST(CredentialsTest, AFileOfTheWrongKindIsNamedAndNotShown) {
  for (const char* text : {"", "\n", "two words", "un\x01printable"}) {
    const std::string path = Written("bad_token", text);
    const absl::Status status = ReadCredentials({.token = path}).status();
    EXPECT_FALSE(status.ok()) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(path));
  }
  const std::string path = Written("secret", "secret");
  const absl::Status status = ReadCredentials({.ca = path}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("is not PEM"));
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret\"secret")));
}

TEST(CredentialsTest, ClientsTakeThoseOfTheEnvironment) {
  setenv("SLUICE_TLS_CA", "a", 1);
  setenv("SLUICE_TOKEN_FILE", "t", 1);
  const CredentialFiles files = CredentialFilesOfEnvironment();
  unsetenv("SLUICE_TLS_CA");
  unsetenv("SLUICE_TOKEN_FILE");
  EXPECT_EQ(files.ca, "a");
  EXPECT_EQ(files.cert, "");
  EXPECT_EQ(files.token, "t");
}

TEST(SameSecretTest, ComparesEveryLetter) {
  EXPECT_TRUE(SameSecret("", ""));
  EXPECT_TRUE(SameSecret("abc", "abc"));
  EXPECT_FALSE(SameSecret("abc", "abd"));
  EXPECT_FALSE(SameSecret("abc", "xbc"));
  EXPECT_FALSE(SameSecret("abc", "ab"));
  EXPECT_FALSE(SameSecret("", "a"));
}

}  // namespace
}  // namespace sluice::transport
