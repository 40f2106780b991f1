// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_SAVED_MODEL_H_
#define SLUICE_CLIENT_SAVED_MODEL_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/graph.h"
#include "client/session.h"

namespace sluice::proto {
class MetaGraphDef;
}

namespace sluice::client {

// A SavedModel of TensorFlow or Sluice, loaded into a session.
//
// Owner:    the program.
// Threads:  Run from any, several at once.
class SavedModel {
 public:
  // Loads the graph with exactly these tags ("serve" is the usual one) from a folder, restores its
  // variables, and runs its initial operation, which fills tables.
  //
  // Errors:   NOT_FOUND: the folder has no saved_model.pb, or no graph with these tags.
  //           DATA_LOSS: a file is damaged. INVALID_ARGUMENT: a node does not fit its op.
  static absl::StatusOr<SavedModel> Load(const std::string& folder,
                                         const std::set<std::string>& tags,
                                         const SessionOptions& options = {});
  SavedModel(SavedModel&&) noexcept;
  SavedModel& operator=(SavedModel&&) noexcept;
  ~SavedModel();

  using Values = std::map<std::string, Tensor>;
  // Runs a signature, "serving_default" in most models: the outputs by name for inputs by name.
  //
  // Errors:   NOT_FOUND: the model has no such signature. INVALID_ARGUMENT: an input is missing, or
  //           the signature does not have it.
  absl::StatusOr<Values> Run(const Values& inputs,
                             const std::string& signature = "serving_default");

  const proto::MetaGraphDef& meta_graph() const { return *meta_graph_; }
  Session& session() { return *session_; }

 private:
  SavedModel();
  absl::Status Prepare(const std::string& folder);

  std::unique_ptr<proto::MetaGraphDef> meta_graph_;
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  std::unique_ptr<Session> session_;  // of graph_
};

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_SAVED_MODEL_H_
