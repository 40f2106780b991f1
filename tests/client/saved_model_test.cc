// SPDX-License-Identifier: Apache-2.0
#include "client/saved_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "graph/import.h"
#include "proto/meta_graph.pb.h"

namespace sluice::client {
namespace {

using testing::HasSubstr;

// A folder that goes with the test.
struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "saved_model_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void Write(const std::string& name, const std::string& data) const {
    std::ofstream(path + "/" + name, std::ios::binary) << data;
  }
  std::string path;
};

// The graph of y = x * v with a variable v, which is saved and restored as a
// Saver does.
struct Model {
  Output Add(absl::string_view op, std::vector<Output> inputs, AttrMap attrs, std::string name) {
    auto node = graph.AddNode(op, inputs, std::move(attrs), {.name = std::move(name)});
    EXPECT_TRUE(node.ok()) << node.status();
    return {*node, 0};
  }
  Output Const(Tensor value, std::string name) {
    const DType dtype = value.dtype();
    return Add("Const", {}, {{"value", std::move(value)}, {"dtype", dtype}}, std::move(name));
  }

  Model() {
    const Output x = Add("Placeholder", {}, {{"dtype", kFloat}}, "x");
    const Output v = Add("VariableV2", {}, {{"shape", PartialShape({})}, {"dtype", kFloat}}, "v");
    Add("Assign", {v, Const(Tensor::Scalar(3.0f), "three")}, {}, "init");
    Add("Mul", {x, v}, {}, "y");
    const Output model = Const(Tensor::Scalar(std::string("model")), "save/model");
    const Output path =
        Add("PlaceholderWithDefault", {model}, {{"shape", PartialShape({})}}, "save/path");
    const Output names = Const(Tensor::Vector<std::string>({"v"}), "save/names");
    const Output pieces = Const(Tensor::Vector<std::string>({""}), "save/pieces");
    Add("SaveV2", {path, names, pieces, v}, {}, "save/save");
    const Output restored = Add("RestoreV2", {path, names, pieces},
                                {{"dtypes", std::vector<DType>{kFloat}}}, "save/restored");
    Add("Assign", {v, restored}, {}, "save/restore_all");
  }

  // Writes the SavedModel with the values of a session.
  void Write(const Folder& folder) {
    std::filesystem::create_directory(folder.path + "/variables");
    auto session = Session::Create(&graph, {});
    ASSERT_TRUE(session.ok()) << session.status();
    ASSERT_TRUE((*session)->Run({}, {}, {"init"}).ok());
    const auto path = Tensor::Scalar(folder.path + "/variables/variables");
    const auto saved = (*session)->Run({{"save/path:0", path}}, {}, {"save/save"});
    ASSERT_TRUE(saved.ok()) << saved.status();

    proto::SavedModel model;
    proto::MetaGraphDef& meta_graph = *model.add_meta_graphs();
    meta_graph.mutable_meta_info_def()->add_tags("serve");
    ASSERT_TRUE(graph::Export(graph.graph(), meta_graph.mutable_graph_def()).ok());
    meta_graph.mutable_saver_def()->set_filename_tensor_name("save/path:0");
    meta_graph.mutable_saver_def()->set_restore_op_name("save/restore_all");
    proto::SignatureDef& signature = (*meta_graph.mutable_signature_def())["serving_default"];
    (*signature.mutable_inputs())["number"].set_name("x:0");
    (*signature.mutable_outputs())["product"].set_name("y:0");
    folder.Write("saved_model.pb", model.SerializeAsString());
  }

  Graph graph;
};

TEST(SavedModelTest, RestoresVariablesAndRunsSignatures) {
  Folder folder;
  Model().Write(folder);
  auto model = SavedModel::Load(folder.path, {"serve"});
  ASSERT_TRUE(model.ok()) << model.status();
  auto values = model->Run({{"number", Tensor::Scalar(2.0f)}});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(values->at("product").scalar<float>(), 6.0f);
}

TEST(SavedModelTest, NamesWhatASignatureLacks) {
  Folder folder;
  Model().Write(folder);
  auto model = SavedModel::Load(folder.path, {"serve"});
  ASSERT_TRUE(model.ok()) << model.status();
  const Tensor two = Tensor::Scalar(2.0f);
  EXPECT_EQ(model->Run({}, "classify").status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(model->Run({}).status().message(), HasSubstr("input \"number\""));
  EXPECT_THAT(model->Run({{"number", two}, {"z", two}}).status().message(),
              HasSubstr("has no input \"z\""));
}

TEST(SavedModelTest, SaysWhichTagsThereAre) {
  Folder folder;
  Model().Write(folder);
  const auto model = SavedModel::Load(folder.path, {"serve", "gpu"});
  EXPECT_EQ(model.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(model.status().message(), HasSubstr("{serve}"));
}

TEST(SavedModelTest, RefusesAFolderWithoutAModelAndADamagedFile) {
  Folder folder;
  EXPECT_EQ(SavedModel::Load(folder.path, {"serve"}).status().code(), absl::StatusCode::kNotFound);
  folder.Write("saved_model.pb", "\x0f\xff damaged");
  EXPECT_EQ(SavedModel::Load(folder.path, {"serve"}).status().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace sluice::client
