// SPDX-License-Identifier: Apache-2.0
// Plays recorded cases on a device of this machine. Its last line counts them: P passed, F failed.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "tests/player/player.h"
#include "tests/player/recorded_cases.pb.h"

namespace sluice::player {
namespace {

constexpr char kUsage[] =
    "sluice-play-cases --device cpu|async|gpu [--ops] FILE.cases...\n"
    "\n"
    "  --ops   print how many runs tested each op\n";

bool Read(const std::string& path, proto::RecordedCases* cases) {
  std::ifstream file(path, std::ios::binary);
  return file && cases->ParseFromIstream(&file);
}

int Report(const Player& player, bool ops) {
  for (const auto& [op, runs] : player.runs_by_op())
    if (ops) std::cout << op << " " << runs << "\n";
  for (const std::string& failure : player.failures()) std::cout << failure << "\n";
  std::cout << player.runs_by_op().size() << " ops; " << player.without_kernels()
            << " runs without kernels\n"
            << player.passed() << " passed, " << player.failures().size() << " failed" << std::endl;
  return player.failures().empty() && player.passed() > 0 ? 0 : 1;
}

int Main(int argc, char** argv) {
  Target target = Target::kCpu;
  bool ops = false;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--ops") {
      ops = true;
    } else if (argument == "--device" && i + 1 < argc) {
      const std::string device = argv[++i];
      if (device != "cpu" && device != "async" && device != "gpu") {
        std::cerr << kUsage;
        return 2;
      }
      target = device == "gpu" ? Target::kGpu : device == "async" ? Target::kAsync : Target::kCpu;
    } else if (absl::StartsWith(argument, "-")) {
      std::cerr << kUsage;
      return 2;
    } else {
      paths.push_back(argument);
    }
  }
  if (paths.empty()) {
    std::cerr << kUsage;
    return 2;
  }
  auto player = Player::Create(target);
  if (!player.ok()) {
    std::cerr << player.status().message() << "\n";
    return 1;
  }
  for (const std::string& path : paths) {
    proto::RecordedCases cases;
    if (Read(path, &cases)) {
      (*player)->Play(cases);
    } else {
      (*player)->Fail(Cat(path, " cannot be read"));
    }
  }
  return Report(**player, ops);
}

}  // namespace
}  // namespace sluice::player

int main(int argc, char** argv) { return sluice::player::Main(argc, argv); }
