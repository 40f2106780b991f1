// SPDX-License-Identifier: Apache-2.0
#include "graph/all_ops.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "core/log.h"
#include "graph/ops/embedded_ops.h"

namespace sluice::graph {

const OpRegistry& AllOps() {
  static const OpRegistry& registry = *[] {
    std::vector<OpFile> files;
    for (const EmbeddedOps& file : AllOpFiles()) {
      files.push_back({{file.file.data(), file.file.size()}, {file.text.data(), file.text.size()}});
    }
    auto ops = OpRegistry::Parse(files);
    if (!ops.ok()) {  // the files are part of the build, so this is a bug of ours
      Log(LogLevel::kError, ops.status().ToString());
      std::abort();
    }
    return new OpRegistry(*std::move(ops));
  }();
  return registry;
}

}  // namespace sluice::graph
