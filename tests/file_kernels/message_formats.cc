// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "proto/example.pb.h"
#include "proto/tensor.pb.h"
#include "tests/file_kernels/formats.h"

namespace sluice::kernels {
namespace {

using Ints = std::vector<int64_t>;
using Strings = std::vector<std::string>;

proto::Feature IntFeature(const Ints& values) {
  proto::Feature feature;
  for (const int64_t value : values) feature.mutable_int64_list()->add_value(value);
  return feature;
}
proto::Feature FloatFeature(const std::vector<float>& values) {
  proto::Feature feature;
  for (const float value : values) feature.mutable_float_list()->add_value(value);
  return feature;
}
proto::Feature BytesFeature(const Strings& values) {
  proto::Feature feature;
  for (const std::string& value : values) feature.mutable_bytes_list()->add_value(value);
  return feature;
}

proto::Features AllFeatures() {
  proto::Features features;
  auto& map = *features.mutable_feature();
  map["dense"] = IntFeature({1, -2, int64_t{1} << 40});
  map["varying"] = FloatFeature({1.5f, 2, 3, 4});
  map["sparse"] = BytesFeature({"a", "", "long text"});
  map["ragged"] = IntFeature({7, 8});
  map["other"] = BytesFeature({"unread"});
  return features;
}

std::string ExampleFile() {
  proto::Example example;
  *example.mutable_features() = AllFeatures();
  return example.SerializeAsString();
}

std::string SequenceFile() {
  proto::SequenceExample example;
  *example.mutable_context() = AllFeatures();
  auto& lists = *example.mutable_feature_lists()->mutable_feature_list();
  for (int i = 0; i < 3; ++i) {
    *lists["dense"].add_feature() = IntFeature({1, 2, i});
    *lists["sparse"].add_feature() = BytesFeature(Strings(static_cast<size_t>(i), "x"));
    *lists["ragged"].add_feature() = FloatFeature(std::vector<float>(static_cast<size_t>(i), 2));
  }
  return example.SerializeAsString();
}

const std::vector<PartialShape>& DenseShapes() {
  static const auto* const shapes =
      new std::vector<PartialShape>{PartialShape(Shape{3}), *PartialShape::Create({-1, 2})};
  return *shapes;
}

std::string ReadExample(KernelRunner& runner, const std::string& bytes) {
  const std::vector<DType> dense = {kInt64, kFloat};
  const Tensor no_default(kInt64, Shape{0}), padding = Tensor::Scalar<float>(0);
  std::string found =
      ReadWith(runner, "ParseExampleV2",
               {{"Tdense", dense},
                {"num_sparse", 1},
                {"sparse_types", std::vector<DType>{kString}},
                {"ragged_value_types", std::vector<DType>{kInt64}},
                {"ragged_split_types", std::vector<DType>{kInt64}},
                {"dense_shapes", DenseShapes()}},
               {Texts({bytes, ExampleFile()}), Texts({}), Texts({"sparse"}),
                Texts({"dense", "varying"}), Texts({"ragged"}), no_default, padding});
  absl::StrAppend(&found, ReadWith(runner, "ParseExample",
                                   {{"Nsparse", 1},
                                    {"Ndense", 2},
                                    {"sparse_types", std::vector<DType>{kString}},
                                    {"Tdense", dense},
                                    {"dense_shapes", DenseShapes()}},
                                   {Texts({bytes}), Texts({"name"}), Text("sparse"), Text("dense"),
                                    Text("varying"), no_default, padding}));
  return found + ReadWith(runner, "ParseSingleExample",
                          {{"num_sparse", 1},
                           {"sparse_keys", Strings{"sparse"}},
                           {"dense_keys", Strings{"dense", "varying"}},
                           {"sparse_types", std::vector<DType>{kString}},
                           {"Tdense", dense},
                           {"dense_shapes", DenseShapes()}},
                          {Text(bytes), no_default, padding});
}

std::string ReadSequence(KernelRunner& runner, const std::string& bytes) {
  const std::vector<PartialShape> shapes = {PartialShape(Shape{3})};
  const auto types = [](DType type) { return std::vector<DType>{type}; };
  return ReadWith(runner, "ParseSequenceExampleV2",
                  {{"Ncontext_sparse", 1},
                   {"Tcontext_dense", types(kInt64)},
                   {"context_sparse_types", types(kString)},
                   {"context_ragged_value_types", types(kInt64)},
                   {"context_ragged_split_types", types(kInt32)},
                   {"context_dense_shapes", shapes},
                   {"Nfeature_list_sparse", 1},
                   {"Nfeature_list_dense", 1},
                   {"feature_list_dense_types", types(kInt64)},
                   {"feature_list_sparse_types", types(kString)},
                   {"feature_list_ragged_value_types", types(kFloat)},
                   {"feature_list_ragged_split_types", types(kInt64)},
                   {"feature_list_dense_shapes", shapes}},
                  {Texts({bytes, SequenceFile()}), Texts({}), Texts({"sparse"}), Texts({"dense"}),
                   Texts({"ragged"}), Texts({"sparse"}), Texts({"dense"}), Texts({"ragged"}),
                   Tensor::Vector<bool>({true}), Tensor(kInt64, Shape{0})});
}

std::string ReadMessage(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const bool sanitize : {false, true}) {
    absl::StrAppend(
        &found, ReadWith(runner, "DecodeProtoV2",
                         {{"message_type", "tensorflow.TensorProto"},
                          {"field_names", Strings{"dtype", "tensor_shape", "tensor_content",
                                                  "float_val", "int_val", "string_val"}},
                          {"output_types",
                           std::vector<DType>{kInt32, kString, kString, kFloat, kInt32, kString}},
                          {"sanitize", sanitize}},
                         {Texts({bytes, bytes})}));
  }
  for (const DType dtype : {kFloat, kString, kInt64, kBool, kHalf, kVariant})
    absl::StrAppend(&found, ReadWith(runner, "ParseTensor", {{"out_type", dtype}}, {Text(bytes)}));
  return found;
}

std::vector<std::string> TensorMessages() {
  std::vector<std::string> files;
  proto::TensorProto packed, listed, repeated, texts;
  packed.set_dtype(proto::DT_FLOAT);
  packed.mutable_tensor_shape()->add_dim()->set_size(2);
  packed.mutable_tensor_shape()->add_dim()->set_size(3);
  packed.set_tensor_content(std::string(24, '\x3f'));
  listed.set_dtype(proto::DT_INT64);
  listed.mutable_tensor_shape()->add_dim()->set_size(4);
  for (const int64_t value : {1, -2, 3, 4}) listed.add_int64_val(value);
  repeated.set_dtype(proto::DT_HALF);
  repeated.mutable_tensor_shape()->add_dim()->set_size(5);
  repeated.add_half_val(0x3c00);
  texts.set_dtype(proto::DT_STRING);
  texts.mutable_tensor_shape()->add_dim()->set_size(2);
  texts.add_string_val("text");
  texts.add_string_val("");
  for (const proto::TensorProto& message : {packed, listed, repeated, texts})
    files.push_back(message.SerializeAsString());
  return files;
}

std::string ReadJson(KernelRunner& runner, const std::string& bytes) {
  return ReadWith(runner, "DecodeJSONExample", {}, {Texts({bytes})});
}

std::string ReadUnicode(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const char* encoding : {"UTF-8", "UTF-16BE", "UTF-32BE", "GBK", "ISO-2022-JP", "HZ"}) {
    for (const char* errors : {"replace", "ignore", "strict"}) {
      absl::StrAppend(&found, ReadWith(runner, "UnicodeDecodeWithOffsets",
                                       {{"input_encoding", encoding}, {"errors", errors}},
                                       {Texts({bytes, "text"})}));
    }
    absl::StrAppend(&found,
                    ReadWith(runner, "UnicodeTranscode",
                             {{"input_encoding", encoding}, {"output_encoding", "UTF-16-BE"}},
                             {Texts({bytes})}));
  }
  absl::StrAppend(&found, ReadWith(runner, "DecodeBase64", {}, {Texts({bytes})}));
  return found + ReadWith(runner, "StringSplitV2", {}, {Texts({bytes}), Text("")});
}

}  // namespace

std::vector<FileFormat> MessageFormats() {
  const std::string json =
      R"({"features": {"feature": {"a": {"int64List": {"value": ["1", 2]}}, )"
      R"("b": {"bytesList": {"value": ["QUJD"]}}, "c": {"floatList": {"value": [1e3, "NaN"]}}}}})";
  return {
      {"Example", {ExampleFile()}, ReadExample, nullptr},
      {"SequenceExample", {SequenceFile()}, ReadSequence, nullptr},
      {"TensorMessage", TensorMessages(), ReadMessage, nullptr},
      {"JsonExample", {json}, ReadJson, nullptr},
      {"Unicode",
       {"caf\xc3\xa9 \xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x98\x80", "QUJD", "~{VPND~} \x1b$B$\x22"},
       ReadUnicode,
       nullptr}};
}

}  // namespace sluice::kernels
