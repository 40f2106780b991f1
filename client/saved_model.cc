// SPDX-License-Identifier: Apache-2.0
#include "client/saved_model.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/io/file.h"
#include "proto/meta_graph.pb.h"

namespace sluice::client {
namespace {

constexpr char kInitSignature[] = "__saved_model_init_op";
constexpr char kAssets[] = "saved_model_assets";

absl::StatusOr<proto::MetaGraphDef> Read(const std::string& folder,
                                         const std::set<std::string>& tags) {
  const std::string path = absl::StrCat(folder, "/saved_model.pb");
  SLUICE_ASSIGN(const std::string data, ReadFile(path));
  proto::SavedModel model;
  if (!model.ParseFromString(data)) {
    return absl::DataLossError(absl::StrCat(path, ": this is not a SavedModel"));
  }
  std::vector<std::string> there;
  for (proto::MetaGraphDef& graph : *model.mutable_meta_graphs()) {
    const auto& have = graph.meta_info_def().tags();
    if (std::set<std::string>(have.begin(), have.end()) == tags) return std::move(graph);
    there.push_back(absl::StrCat("{", absl::StrJoin(have, ", "), "}"));
  }
  return absl::NotFoundError(absl::StrCat(path, ": no graph has the tags {",
                                          absl::StrJoin(tags, ", "), "}; there are ",
                                          absl::StrJoin(there, ", ")));
}

// The operation that prepares a loaded model; empty: there is none.
std::string InitialOperation(const proto::MetaGraphDef& graph) {
  const auto found = graph.signature_def().find(kInitSignature);
  if (found != graph.signature_def().end()) {
    const auto& outputs = found->second.outputs();
    const auto output = outputs.find(kInitSignature);
    if (output != outputs.end()) return output->second.name();
  }
  for (const char* key : {"saved_model_main_op", "legacy_init_op"}) {
    const auto collection = graph.collection_def().find(key);
    if (collection == graph.collection_def().end()) continue;
    const auto& names = collection->second.node_list().value();
    if (!names.empty()) return names[0];
  }
  return "";
}

// The tensors with the paths of copied files, and these paths.
absl::StatusOr<Session::Feeds> Assets(const proto::MetaGraphDef& graph, const std::string& folder) {
  std::vector<proto::AssetFileDef> assets(graph.asset_file_def().begin(),
                                          graph.asset_file_def().end());
  const auto collection = graph.collection_def().find(kAssets);
  if (assets.empty() && collection != graph.collection_def().end()) {
    for (const auto& packed : collection->second.any_list().value()) {
      proto::AssetFileDef asset;
      if (!asset.ParseFromString(packed.value())) {
        return absl::DataLossError(absl::StrCat(folder, ": an asset's description is damaged"));
      }
      assets.push_back(std::move(asset));
    }
  }
  Session::Feeds feeds;
  for (const proto::AssetFileDef& asset : assets) {
    feeds.emplace_back(asset.tensor_info().name(),
                       Tensor::Scalar(absl::StrCat(folder, "/assets/", asset.filename())));
  }
  return feeds;
}

}  // namespace

SavedModel::SavedModel() : meta_graph_(std::make_unique<proto::MetaGraphDef>()) {}
SavedModel::SavedModel(SavedModel&&) noexcept = default;
SavedModel& SavedModel::operator=(SavedModel&&) noexcept = default;
SavedModel::~SavedModel() = default;

absl::StatusOr<SavedModel> SavedModel::Load(const std::string& folder,
                                            const std::set<std::string>& tags,
                                            const SessionOptions& options) {
  SavedModel model;
  SLUICE_ASSIGN(*model.meta_graph_, Read(folder, tags));
  SLUICE_RETURN_IF_ERROR(model.graph_->Import(model.meta_graph_->graph_def().SerializeAsString()));
  SLUICE_ASSIGN(model.session_, Session::Create(model.graph_.get(), options));
  SLUICE_RETURN_IF_ERROR(model.Prepare(folder));
  return model;
}

absl::Status SavedModel::Prepare(const std::string& folder) {
  const proto::SaverDef& saver = meta_graph_->saver_def();
  if (!saver.restore_op_name().empty()) {
    const Tensor path = Tensor::Scalar(absl::StrCat(folder, "/variables/variables"));
    SLUICE_RETURN_IF_ERROR(
        session_->Run({{saver.filename_tensor_name(), path}}, {}, {saver.restore_op_name()})
            .status());
  }
  const std::string initial = InitialOperation(*meta_graph_);
  if (initial.empty()) return absl::OkStatus();
  SLUICE_ASSIGN(Session::Feeds assets, Assets(*meta_graph_, folder));
  return session_->Run(assets, {}, {initial}).status();
}

absl::StatusOr<SavedModel::Values> SavedModel::Run(const Values& inputs,
                                                   const std::string& signature) {
  const auto found = meta_graph_->signature_def().find(signature);
  if (found == meta_graph_->signature_def().end()) {
    return absl::NotFoundError(absl::StrCat("the model has no signature \"", signature, "\""));
  }
  Session::Feeds feeds;
  for (const auto& [name, value] : inputs) {
    const auto input = found->second.inputs().find(name);
    if (input == found->second.inputs().end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("signature \"", signature, "\" has no input \"", name, "\""));
    }
    feeds.emplace_back(input->second.name(), value);
  }
  for (const auto& [name, info] : found->second.inputs()) {
    if (inputs.count(name) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("input \"", name, "\" of signature \"", signature, "\" is missing"));
    }
  }
  std::vector<std::string> names, fetches;
  for (const auto& [name, info] : found->second.outputs()) {
    names.push_back(name);
    fetches.push_back(info.name());
  }
  SLUICE_ASSIGN(std::vector<Tensor> values, session_->Run(feeds, fetches, {}));
  Values outputs;
  for (size_t i = 0; i < names.size(); ++i) outputs.emplace(names[i], std::move(values[i]));
  return outputs;
}

}  // namespace sluice::client
