// SPDX-License-Identifier: Apache-2.0
// Counts what the program put into streams.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_LAUNCHES_H_
#define SLUICE_TESTS_CUDA_DOUBLE_LAUNCHES_H_

#include <cstdint>
#include <map>
#include <string>

namespace sluice::cuda_double {

void CountCopy();
void CountLaunch(const void* kernel);
int64_t CopiesCounted();
int64_t LaunchesCounted();
std::map<std::string, int64_t> LaunchesByName();
void ForgetCounts();

// The program's symbol.
std::string NameOfKernel(const void* kernel);

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_LAUNCHES_H_
