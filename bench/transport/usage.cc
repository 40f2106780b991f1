// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/usage.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace sluice::bench {

Usage UsedHere() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  Usage used;
  used.own = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  // cpu user nice system idle iowait irq softirq steal; in ticks.
  std::ifstream stat("/proc/stat");
  std::string name;
  double ticks[8] = {};
  stat >> name;
  for (double& one : ticks) stat >> one;
  const double busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
  used.busy = busy / static_cast<double>(sysconf(_SC_CLK_TCK));
  return used;
}

}  // namespace sluice::bench
