// SPDX-License-Identifier: Apache-2.0
// Sets up the double before the server begins, from the variable SLUICE_CUDA_DOUBLE:
//
//   SLUICE_CUDA_DOUBLE=devices=2,megabytes=512,seed=3,delay=200,driver=13000,fail=copy:4:700,hold=1
//
// All are optional. `delay`: microseconds at most. `fail`: the kind of call (launch, run,
// allocation, copy, event, any), which one, and the number of its error. `hold`: 1 if no work ever
// begins.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "tests/cuda_double/control.h"
#include "tests/cuda_double/libraries/libraries.h"

namespace sluice::cuda_double {
namespace {

[[noreturn]] void Refuse(const std::string& text) {
  std::fprintf(stderr, "SLUICE_CUDA_DOUBLE: cannot read %s\n", text.c_str());
  std::exit(2);
}

int64_t NumberOf(const std::string& text) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(text, &number) || number < 0) Refuse(text);
  return number;
}

void Fail(const std::string& text) {
  static const auto& kinds = *new std::map<std::string, Call>{
      {"launch", Call::kLaunch}, {"run", Call::kRun},     {"allocation", Call::kAllocation},
      {"copy", Call::kCopy},     {"event", Call::kEvent}, {"any", Call::kAny}};
  const std::vector<std::string> parts = absl::StrSplit(text, ':');
  if (parts.size() != 3 || !kinds.count(parts[0])) Refuse(text);
  FailCall(kinds.at(parts[0]), NumberOf(parts[1]), static_cast<cudaError_t>(NumberOf(parts[2])));
}

bool SetUp() {
  UseLibraryDoubles();
  const char* variable = std::getenv("SLUICE_CUDA_DOUBLE");
  if (!variable) return true;
  std::map<std::string, std::string> values = {
      {"devices", "2"}, {"megabytes", "1024"}, {"seed", "0"}, {"delay", "0"}};
  for (const absl::string_view part : absl::StrSplit(variable, ',', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> pair = absl::StrSplit(part, absl::MaxSplits('=', 1));
    values[pair.first] = pair.second;
  }
  SetDevices(static_cast<int>(NumberOf(values["devices"])),
             static_cast<size_t>(NumberOf(values["megabytes"])) << 20);
  SetSeed(static_cast<uint64_t>(NumberOf(values["seed"])));
  SetDelay(NumberOf(values["delay"]));
  if (values.count("driver")) SetDriverVersion(static_cast<int>(NumberOf(values["driver"])));
  if (values.count("fail")) Fail(values["fail"]);
  if (values.count("hold")) HoldStreams(NumberOf(values["hold"]) != 0);
  for (const char* known : {"devices", "megabytes", "seed", "delay", "driver", "fail", "hold"})
    values.erase(known);
  if (!values.empty()) Refuse(values.begin()->first);
  return true;
}

[[maybe_unused]] const bool set_up = SetUp();

}  // namespace
}  // namespace sluice::cuda_double
