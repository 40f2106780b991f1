// SPDX-License-Identifier: Apache-2.0
// Loads a SavedModel, which TensorFlow or Sluice wrote, and lists its signatures:
//     build/examples/saved_model folder

#include "client/saved_model.h"

#include <iostream>

#include "proto/meta_graph.pb.h"

namespace {

absl::Status Run(const std::string& folder) {
  SLUICE_ASSIGN(auto model, sluice::client::SavedModel::Load(folder, {"serve"}));
  for (const auto& [name, signature] : model.meta_graph().signature_def()) {
    std::cout << name << " (" << signature.method_name() << ")\n";
    for (const auto& [input, info] : signature.inputs()) {
      std::cout << "  takes " << input << " = " << info.name() << "\n";
    }
    for (const auto& [output, info] : signature.outputs()) {
      std::cout << "  returns " << output << " = " << info.name() << "\n";
    }
  }
  return model.session().Close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cout << "usage: saved_model folder\n";
    return 0;
  }
  const absl::Status status = Run(argv[1]);
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
