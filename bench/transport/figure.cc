// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/figure.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/transport/statistics.h"

namespace sluice::bench {
namespace {

void Print(const nlohmann::json& line) { std::cout << line.dump() << std::endl; }

}  // namespace

void ReportFigure(Figure figure) {
  nlohmann::json line = {
      {"line", "figure"},
      {"metric", figure.metric},
      {"transport", figure.kind.name},
      {"layer", figure.kind.layer},
      {"payload", figure.payload.name},
      {"buffers", figure.payload.buffers},
      {"bytes", figure.payload.bytes()},
      {"serialised", figure.payload.serialised},
      {"rounds", figure.rounds},
      {"moved_bytes", figure.moved},
      {"wall_seconds", figure.wall},
      {"cpu_seconds", figure.used.own},
      {"busy_seconds", figure.used.busy},
  };
  if (!figure.samples.empty()) {
    std::sort(figure.samples.begin(), figure.samples.end());
    line["samples"] = figure.samples.size();
    line["p50"] = Percentile(figure.samples, 50);
    line["p90"] = Percentile(figure.samples, 90);
    line["p99"] = Percentile(figure.samples, 99);
    line["p99.9"] = Percentile(figure.samples, 99.9);
  }
  Print(line);
}

void ReportMissing(const Kind& kind, const std::string& why) {
  Print({{"line", "missing"}, {"transport", kind.name}, {"why", why}});
}

void ReportSetting(const Setting& setting) {
  Print({{"line", "setting"},
         {"near_cores", setting.near_cores},
         {"far_cores", setting.far_cores},
         {"two_machines", setting.two_machines},
         {"connections", setting.connections},
         {"rounds", setting.rounds},
         {"servers", setting.servers},
         {"workers", setting.workers}});
}

}  // namespace sluice::bench
