// SPDX-License-Identifier: Apache-2.0
#include "core/log.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Restores the default level and environment variable.
class LogTest : public ::testing::Test {
 protected:
  ~LogTest() override {
    unsetenv("SLUICE_LOG_LEVEL");
    SetLogLevel(LogLevel::kWarning);
  }
};

TEST_F(LogTest, KnowsNamesInAnyCaseAndTensorFlowsNumbers) {
  EXPECT_EQ(*ParseLogLevel("debug"), LogLevel::kDebug);
  EXPECT_EQ(*ParseLogLevel("INFO"), LogLevel::kInfo);
  EXPECT_EQ(*ParseLogLevel(" Warning "), LogLevel::kWarning);
  EXPECT_EQ(*ParseLogLevel("eRRoR"), LogLevel::kError);
  EXPECT_EQ(*ParseLogLevel("off"), LogLevel::kOff);
  EXPECT_EQ(*ParseLogLevel("0"), LogLevel::kInfo);
  EXPECT_EQ(*ParseLogLevel("3"), LogLevel::kOff);
}

TEST_F(LogTest, RefusesOtherLevelsAndNamesThem) {
  for (const char* text : {"loud", "4", "-1", "", "infos", "1 2"}) {
    const absl::Status status = ParseLogLevel(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(absl::StrCat("\"", text, "\""))) << text;
  }
}

TEST_F(LogTest, TheOptionCountsBeforeTheVariableAndThatBeforeTheDefault) {
  ASSERT_TRUE(ConfigureLog(LogLevel::kInfo).ok());
  EXPECT_TRUE(LogEnabled(LogLevel::kInfo));
  EXPECT_FALSE(LogEnabled(LogLevel::kDebug));
  setenv("SLUICE_LOG_LEVEL", "Error", 1);
  ASSERT_TRUE(ConfigureLog(LogLevel::kInfo).ok());
  EXPECT_FALSE(LogEnabled(LogLevel::kWarning));
  EXPECT_TRUE(LogEnabled(LogLevel::kError));
  ASSERT_TRUE(ConfigureLog(LogLevel::kInfo, "debug").ok());
  EXPECT_TRUE(LogEnabled(LogLevel::kDebug));
}

TEST_F(LogTest, NamesWhereAWrongLevelStands) {
  setenv("SLUICE_LOG_LEVEL", "loud", 1);
  EXPECT_THAT(ConfigureLog(LogLevel::kInfo).ToString(), HasSubstr("SLUICE_LOG_LEVEL: \"loud\""));
  EXPECT_THAT(ConfigureLog(LogLevel::kInfo, "5").ToString(), HasSubstr("--log_level: \"5\""));
}

TEST_F(LogTest, OffDropsErrorsToo) {
  SetLogLevel(LogLevel::kOff);
  EXPECT_FALSE(LogEnabled(LogLevel::kError));
}

TEST_F(LogTest, WritesIntoAFile) {
  const std::string path = ::testing::TempDir() + "/log_test.log";
  std::filesystem::remove(path);
  EXPECT_THAT(SetLogFile("/dev/null/server.log").ToString(), HasSubstr("/dev/null/server.log"));
  ASSERT_TRUE(SetLogFile(path).ok());
  SetLogLevel(LogLevel::kInfo);
  Log(LogLevel::kInfo, "kept ", 7);
  Log(LogLevel::kDebug, "dropped");
  ASSERT_TRUE(SetLogFile("/dev/stderr").ok());
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_THAT(text.str(), HasSubstr(" I kept 7\n"));
  EXPECT_THAT(text.str(), Not(HasSubstr("dropped")));
}

}  // namespace
}  // namespace sluice
