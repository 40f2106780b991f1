// SPDX-License-Identifier: Apache-2.0
#include "tests/graph/tf_programs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "absl/strings/str_cat.h"
#include "tests/paths.h"

namespace sluice::graph {

const std::vector<std::pair<std::string, proto::GraphDef>>& TensorFlowPrograms(
    const std::string& variable, const std::string& script) {
  static auto& made =
      *new std::map<std::string, std::vector<std::pair<std::string, proto::GraphDef>>>;
  auto [it, missing] = made.try_emplace(variable + script);
  const char* python = std::getenv(variable.c_str());
  if (!missing || python == nullptr) return it->second;
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("sluice_graphs_" + variable + script);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string command =
      absl::StrCat(python, " ", SourcePath("tests/graph/"), script, " ", folder.string(), " 2>&1");
  EXPECT_EQ(std::system(command.c_str()), 0);
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(file.path(), std::ios::binary);
    auto& [name, def] = it->second.emplace_back(file.path().stem().string(), proto::GraphDef());
    EXPECT_TRUE(def.ParseFromIstream(&in)) << name;
  }
  std::filesystem::remove_all(folder);
  return it->second;
}

}  // namespace sluice::graph
