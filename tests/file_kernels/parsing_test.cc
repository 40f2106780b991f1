// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/threads/thread_pool.h"
#include "kernels/common/parsing/example_parser.h"
#include "kernels/common/parsing/sequence_parser.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Tensor> Make(DType dtype, const Shape& shape) {
  return Tensor::Allocate(CpuAllocator(), dtype, shape);
}

std::string Field(int number, absl::string_view payload) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  field.push_back(static_cast<char>(payload.size()));
  return field.append(payload.data(), payload.size());
}

std::string Entry(absl::string_view key, absl::string_view feature) {
  return Field(1, Field(1, key) + Field(2, feature));
}

// An Example with i = {value}, s = {"text"}.
std::string ExampleOf(char value) {
  return Field(1, Entry("i", Field(3, Field(1, std::string(1, value)))) +
                      Entry("s", Field(1, Field(1, "text"))));
}

ExampleFeatures IntAndText() {
  ExampleFeatures features;
  DenseFeature& number = features.dense.emplace_back();
  number.key = "i";
  number.dtype = kInt64;
  number.default_value = Tensor(kInt64, Shape{0});
  EXPECT_TRUE(SetShape(PartialShape(Shape{}), 0, &number).ok());
  features.sparse.push_back({"s", kString});
  return features;
}

TEST(ParseExamplesTest, SplitsALargeBatchOverThePool) {
  std::vector<std::string> batch;
  for (int i = 0; i < 5000; ++i) batch.push_back(ExampleOf(static_cast<char>(i % 100)));
  const auto pool = CreateThreadPool(4, "test");
  auto parsed = ParseExamples(IntAndText(), batch, {}, pool.get(), Make);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const Tensor& indices = parsed->sparse_indices[0];
  ASSERT_EQ(indices.shape(), (Shape{5000, 2}));
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(parsed->dense[0].data<int64_t>()[i], i % 100);
    ASSERT_EQ(parsed->sparse_values[0].data<std::string>()[i], "text");
    ASSERT_EQ(indices.data<int64_t>()[2 * i], i);
  }
  batch[4000] = batch[77] = batch[3] = Field(1, "");
  parsed = ParseExamples(IntAndText(), batch, batch, pool.get(), Make);
  EXPECT_EQ(parsed.status().message(), Cat("Name: ", batch[3],
                                           ", Feature: i (data type: int64) is required but "
                                           "could not be found."));
}

TEST(ParseExamplesTest, DamagedBytesGiveValuesOrAnError) {
  const std::string good = ExampleOf(5);
  SequenceFeatures sequence{IntAndText(), IntAndText()};
  const std::string list = Field(1, Field(1, Field(1, "text")));
  const std::string lists = good + Field(2, Entry("s", list) + Entry("i", list));
  for (size_t at = 0; at < lists.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string bad = lists;
      bad[at] = static_cast<char>(byte);
      for (const std::string& bytes : {bad.substr(0, good.size()), bad, bad.substr(0, at)}) {
        const auto one = ParseOneExample(IntAndText(), bytes, Make).status();
        EXPECT_TRUE(one.ok() || absl::IsInvalidArgument(one)) << one;
        const auto many = ParseSequences(sequence, {bytes, lists}, {}, true, Make).status();
        EXPECT_TRUE(many.ok() || absl::IsInvalidArgument(many)) << many;
      }
    }
  }
}

TEST(ParseExamplesTest, AnAnnouncedLengthAllocatesNothing) {
  const std::string huge = Field(2, "\x0a\xfc\xff\xff\xff\x0f");  // packed floats: 4 GiB
  ExampleFeatures features;
  features.sparse.push_back({"f", kFloat});
  const std::string bytes = Field(1, Entry("f", huge));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseOneExample(features, bytes, Make).status()));
}

TEST(ParseExamplesTest, AKeyHasOneFeature) {
  ExampleFeatures features = IntAndText();
  features.sparse.push_back({"i", kInt64});
  const auto status = ParseOneExample(features, ExampleOf(1), Make).status();
  EXPECT_EQ(status.message(), "key \"i\" is given twice");
}

TEST(ParseTensorTest, ReadsWhatSerializeTensorWrites) {
  for (const Tensor& tensor : {Tensor::Scalar<float>(1.5f), Tensor::Vector<int64_t>({1, -2}),
                               Tensor::Vector<std::string>({"a", ""}), Tensor(kHalf, Shape{0, 3}),
                               Tensor::Vector<bool>({true, false})}) {
    auto bytes = RunOp("SerializeTensor", {{"T", tensor.dtype()}}, {tensor});
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    auto back = RunOp("ParseTensor", {{"out_type", tensor.dtype()}}, {(*bytes)[0]});
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ((*back)[0].ToString(), tensor.ToString());
  }
}

}  // namespace
}  // namespace sluice::kernels
