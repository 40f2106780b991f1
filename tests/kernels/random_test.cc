// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <fstream>
#include <sstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "kernels/common/philox.h"
#include "kernels/cpu/random/philox_blocks.h"
#include "tests/kernels/kernel_runner.h"
#include "tests/paths.h"

namespace sluice::kernels {
namespace {

// One line of tests/data/random_values.txt.
struct Line {
  std::string op, dtype;
  std::vector<std::vector<std::string>> runs;
};

std::vector<Line> ReadLines() {
  std::ifstream file(SourcePath("tests/data/random_values.txt"));
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    if (text.empty() || text[0] == '#') continue;
    Line line;
    std::istringstream words(text);
    words >> line.op >> line.dtype;
    line.runs.emplace_back();
    for (std::string word; words >> word;) {
      if (word == "|")
        line.runs.emplace_back();
      else
        line.runs.back().push_back(word);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

template <typename T, typename Bits>
Tensor FromBits(const std::vector<std::string>& words) {
  std::vector<T> values;
  for (const std::string& word : words) {
    values.push_back(std::bit_cast<T>(static_cast<Bits>(std::stoull(word, nullptr, 16))));
  }
  return Tensor::Vector<T>(values);
}
template <typename T>
Tensor FromDecimals(const std::vector<std::string>& words) {
  std::vector<T> values;
  for (const std::string& word : words) values.push_back(static_cast<T>(std::stoll(word)));
  return Tensor::Vector<T>(values);
}

Tensor Values(DType dtype, const std::vector<std::string>& words) {
  switch (dtype) {
    case kFloat:
      return FromBits<float, uint32_t>(words);
    case kDouble:
      return FromBits<double, uint64_t>(words);
    case kHalf:
      return FromBits<Half, uint16_t>(words);
    case kBfloat16:
      return FromBits<Bfloat16, uint16_t>(words);
    case kInt32:
      return FromDecimals<int32_t>(words);
    default:
      return FromDecimals<int64_t>(words);
  }
}

Tensor Int(DType dtype, int64_t value) {
  return dtype == kInt32 ? Tensor::Scalar<int32_t>(static_cast<int32_t>(value))
                         : Tensor::Scalar<int64_t>(value);
}

Tensor Range(const Shape& shape) {
  Tensor values(kInt32, shape);
  for (int32_t i = 0; i < shape.num_elements(); ++i) values.mutable_data<int32_t>()[i] = i;
  return values;
}

struct Case {
  AttrMap attrs;
  std::vector<Tensor> inputs;
  DType result;
};

Case CaseOf(const Line& line) {
  const DType dtype = ParseDType(line.dtype);
  const Tensor shape = Tensor::Vector<int32_t>({7});
  const Tensor seeds = Tensor::Vector<int64_t>({3, -5});
  const AttrMap node_seeds = {{"seed", 3}, {"seed2", 4}};
  const float inf = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor logits = Tensor::Of<float>({2, 5}, {0.5f, -1, 2, 0, 1, -inf, 1, nan, 0.3f, 0.2f});
  const Tensor samples = Tensor::Scalar<int32_t>(7);
  if (line.op == "RandomShuffle") return {node_seeds, {Range({11})}, kInt32};
  if (line.op == "RandomShuffle2") return {node_seeds, {Range({6, 2})}, kInt32};
  if (line.op == "Multinomial") return {node_seeds, {logits, samples}, kInt64};
  if (line.op == "StatelessMultinomial") return {{}, {logits, samples, seeds}, kInt64};
  if (line.op == "RandomUniformInt")
    return {node_seeds, {shape, Int(dtype, -5), Int(dtype, 1000003)}, dtype};
  if (line.op == "StatelessRandomUniformInt")
    return {{}, {shape, seeds, Int(dtype, -5), Int(dtype, 1000003)}, dtype};
  if (line.op.starts_with("Stateless")) return {{{"dtype", dtype}}, {shape, seeds}, dtype};
  return {{{"dtype", dtype}, {"seed", int64_t{12345678901}}, {"seed2", -7}}, {shape}, dtype};
}

TEST(RandomTest, GivesTensorFlowsValues) {
  const std::vector<Line> lines = ReadLines();
  ASSERT_EQ(lines.size(), 32u);
  KernelRunner runner;
  for (const Line& line : lines) {
    SCOPED_TRACE(line.op + " " + line.dtype);
    const Case c = CaseOf(line);
    std::vector<DType> types;
    for (const Tensor& input : c.inputs) types.push_back(input.dtype());
    const std::string op = line.op == "RandomShuffle2" ? "RandomShuffle" : line.op;
    const auto node = runner.Make(op, c.attrs, types);
    ASSERT_TRUE(node.ok()) << node.status();
    // Logarithm and sine are the platform's; all other functions are exact.
    const double tolerance = line.op.find("Normal") != std::string::npos ? 1e-6 : 0;
    for (const auto& run : line.runs) {
      const auto out = runner.Run(*node, c.inputs);
      ASSERT_TRUE(out.ok()) << out.status();
      const Tensor flat = *(*out)[0].Reshaped({(*out)[0].num_elements()});
      EXPECT_EQ(SameTensor(flat, Values(c.result, run), tolerance), absl::OkStatus());
    }
  }
}

TEST(RandomTest, UnseededNodesDiffer) {
  const Tensor shape = Tensor::Vector<int32_t>({8});
  const auto a = RunOp("RandomUniform", {{"dtype", kFloat}}, {shape});
  const auto b = RunOp("RandomUniform", {{"dtype", kFloat}}, {shape});
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_FALSE(SameTensor((*a)[0], (*b)[0]).ok());
}

TEST(RandomTest, LargeOutputsDoNotDependOnThreads) {
  const AttrMap attrs = {{"dtype", kFloat}, {"seed", 1}, {"seed2", 2}};
  const auto all = RunOp("TruncatedNormal", attrs, {Tensor::Vector<int32_t>({300, 333})});
  const auto head = RunOp("TruncatedNormal", attrs, {Tensor::Vector<int32_t>({10, 333})});
  ASSERT_TRUE(all.ok() && head.ok());
  EXPECT_EQ(SameTensor((*all)[0].Rows(0, 10), (*head)[0]), absl::OkStatus());
}

TEST(RandomTest, RefusesBadArguments) {
  const Tensor shape = Tensor::Vector<int32_t>({3});
  const Tensor two = Tensor::Scalar<int32_t>(2), one = Tensor::Scalar<int32_t>(1);
  const auto code = [](const auto& result) { return result.status().code(); };
  EXPECT_EQ(RunOp("RandomUniformInt", {}, {shape, two, one}).status().message(),
            "Need minval < maxval, got 2 >= 1");
  EXPECT_EQ(code(RunOp("RandomUniform", {{"dtype", kFloat}}, {Tensor::Vector<int32_t>({-1})})),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(RunOp("RandomUniform", {{"dtype", kFloat}},
                       {Tensor::Vector<int64_t>({int64_t{1} << 40, 1 << 20})})),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(RunOp("StatelessRandomUniform", {}, {shape, Tensor::Vector<int32_t>({1, 2, 3})})
                .status()
                .message(),
            "seed must have shape [2], not [3]");
  const Tensor empty(kFloat, {2, 0});
  EXPECT_EQ(RunOp("Multinomial", {}, {empty, two}).status().message(),
            "num_classes should be positive, got 0");
  EXPECT_EQ(RunOp("Multinomial", {}, {Tensor(kFloat, {2, 2}), Tensor::Scalar<int32_t>(-1)})
                .status()
                .message(),
            "num_samples should be nonnegative, got -1");
}

TEST(PhiloxTest, CarriesIntoTheHighHalf) {
  Philox near_end(1, 5);
  near_end.Skip(~uint64_t{0});
  EXPECT_EQ(near_end.At(0), Philox::Of(~uint64_t{0}, 5, 1));
  EXPECT_EQ(near_end.At(1), Philox::Of(0, 6, 1));
  near_end.Skip(2);
  EXPECT_EQ(near_end.At(0), Philox::Of(1, 6, 1));
}

TEST(PhiloxTest, ManyBlocksAreThoseOneByOne) {
  for (const uint64_t low : {uint64_t{0}, ~uint64_t{0} - 40, ~uint64_t{0} - 3}) {
    const Philox philox(0x123456789ABCDEF, low, 5);
    for (const uint64_t ahead : {0, 32}) {
      Philox::Block blocks[kBlocksAtOnce];
      BlocksAt(philox, ahead, blocks);
      for (uint64_t i = 0; i < kBlocksAtOnce; ++i) EXPECT_EQ(blocks[i], philox.At(ahead + i)) << i;
    }
  }
}

TEST(RandomTest, LongOutputsBeginAsShortOnesDo) {
  constexpr int32_t kShort = 31 * 2;  // too short for many blocks at once
  const Tensor seed = Tensor::Vector<int32_t>({3, 4});
  for (const char* op : {"StatelessRandomUniform", "StatelessRandomNormal"}) {
    for (const DType dtype : {kFloat, kDouble, kHalf, kBfloat16}) {
      const AttrMap attrs{{"dtype", dtype}};
      const auto few = RunOp(op, attrs, {Tensor::Vector<int32_t>({kShort}), seed});
      const auto many = RunOp(op, attrs, {Tensor::Vector<int32_t>({1001}), seed});
      ASSERT_TRUE(few.ok() && many.ok());
      EXPECT_EQ(std::memcmp((*few)[0].raw(), (*many)[0].raw(), (*few)[0].bytes()), 0) << op;
    }
  }
}

}  // namespace
}  // namespace sluice::kernels
