// SPDX-License-Identifier: Apache-2.0
// Runs the cases of tests/data/nn_golden.txt, which are TensorFlow's results: unchanged, training
// also on references, images also with channels first, and everything in the other floating types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "tests/kernels/kernel_runner.h"
#include "tests/paths.h"

namespace sluice::kernels {
namespace {

struct GoldenCase {
  int line = 0;
  std::string op;
  AttrMap attrs;
  std::vector<Tensor> inputs;
  int variables = 0;  // the first inputs are variables
  std::vector<Tensor> outputs, after;

  std::string ToString() const { return Cat("nn_golden.txt:", line, " ", op); }
};

template <typename T>
void Parse(absl::Span<const absl::string_view> words, Tensor& tensor) {
  for (size_t i = 0; i < words.size(); ++i) {
    double value = 0;
    ASSERT_TRUE(absl::SimpleAtod(words[i], &value)) << words[i];
    tensor.mutable_flat<T>()[i] = static_cast<T>(value);
  }
}

// "float 2,3 0.5 ..."
Tensor ReadTensor(absl::string_view text) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  Shape::Dims dims;
  if (words[1] != "-") {
    for (absl::string_view dim : absl::StrSplit(words[1], ',')) {
      int64_t size = 0;
      EXPECT_TRUE(absl::SimpleAtoi(dim, &size));
      dims.push_back(size);
    }
  }
  Tensor tensor(ParseDType(words[0]), *Shape::Create(dims));
  const auto values = absl::MakeConstSpan(words).subspan(2);
  EXPECT_EQ(static_cast<int64_t>(values.size()), tensor.num_elements());
  using Types = TypeList<float, double, int32_t, int64_t>;
  EXPECT_TRUE(VisitDType(Types{}, tensor.dtype(), [&]<typename T>(Type<T>) {
                Parse<T>(values, tensor);
                return absl::OkStatus();
              }).ok());
  return tensor;
}

Attr ReadAttr(absl::string_view text) {
  const std::string value(text.substr(1));
  switch (text[0]) {
    case 'i':
      return Attr(static_cast<int64_t>(std::stoll(value)));
    case 'f':
      return Attr(std::stof(value));
    case 'b':
      return Attr(value == "1");
    case 's':
      return Attr(value);
    default:
      break;
  }
  std::vector<int64_t> list;
  for (absl::string_view item : absl::StrSplit(value, ','))
    list.push_back(std::stoll(std::string(item)));
  return Attr(list);
}

const std::vector<GoldenCase>& Cases() {
  static const auto& cases = *[] {
    auto* read = new std::vector<GoldenCase>;
    std::ifstream file(SourcePath("tests/data/nn_golden.txt"));
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      const std::pair<absl::string_view, absl::string_view> split =
          absl::StrSplit(line, absl::MaxSplits(' ', 1));
      if (split.first == "case") {
        GoldenCase& made = read->emplace_back();
        made.line = number;
        std::vector<std::string> words = absl::StrSplit(split.second, ' ');
        made.op = words[0];
        for (size_t i = 1; i < words.size(); ++i) {
          const std::pair<std::string, std::string> attr =
              absl::StrSplit(words[i], absl::MaxSplits('=', 1));
          made.attrs[attr.first] = ReadAttr(attr.second);
        }
        continue;
      }
      GoldenCase& at = read->back();
      const Tensor tensor = ReadTensor(split.second);
      if (split.first == "var") ++at.variables;
      if (split.first == "in" || split.first == "var") at.inputs.push_back(tensor);
      if (split.first == "out") at.outputs.push_back(tensor);
      if (split.first == "after") at.after.push_back(tensor);
    }
    return read;
  }();
  return cases;
}

// The case with its float tensors in another type.
GoldenCase InType(const GoldenCase& golden, DType dtype) {
  const auto convert = [&](std::vector<Tensor> tensors) {
    for (Tensor& tensor : tensors) {
      if (tensor.dtype() != kFloat) continue;
      Tensor made(dtype, tensor.shape());
      EXPECT_TRUE(VisitDType(FloatingTypes{}, dtype, [&]<typename T>(Type<T>) {
                    for (int64_t i = 0; i < made.num_elements(); ++i) {
                      const float v = tensor.flat<float>()[i];
                      const bool lowest = v == std::numeric_limits<float>::lowest();
                      made.mutable_flat<T>()[i] = lowest ? std::numeric_limits<T>::lowest() : T(v);
                    }
                    return absl::OkStatus();
                  }).ok());
      tensor = made;
    }
    return tensors;
  };
  GoldenCase made = golden;
  made.inputs = convert(golden.inputs);
  made.outputs = convert(golden.outputs);
  made.after = convert(golden.after);
  return made;
}

Tensor CopyOf(const Tensor& tensor) { return *tensor.Copy(); }

absl::Status Compare(const std::vector<Tensor>& got, const std::vector<Tensor>& want,
                     double tolerance) {
  if (got.size() != want.size()) return Internal(got.size(), " outputs, expected ", want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    absl::Status same = SameTensor(got[i], want[i], tolerance);
    if (!same.ok()) return Annotate(same, Cat("output ", i));
  }
  return absl::OkStatus();
}

// Runs the case with its variables as resources.
absl::Status RunCase(KernelRunner& runner, const GoldenCase& golden, double tolerance) {
  std::vector<Tensor> inputs;
  std::vector<RefPtr<ResourceVariable>> variables;
  for (int i = 0; i < static_cast<int>(golden.inputs.size()); ++i) {
    if (i >= golden.variables) {
      inputs.push_back(CopyOf(golden.inputs[i]));
      continue;
    }
    auto variable = MakeRefCounted<ResourceVariable>(golden.inputs[i].dtype());
    variable->value = CopyOf(golden.inputs[i]);
    ResourceHandle handle;
    handle.object = variable;
    variables.push_back(variable);
    inputs.push_back(Tensor::Scalar(handle));
  }
  SLUICE_ASSIGN(const std::vector<Tensor> outputs,
                runner.Run(golden.op, golden.attrs, std::move(inputs)));
  if (golden.variables == 0) return Compare(outputs, golden.outputs, tolerance);
  std::vector<Tensor> after;
  for (const auto& variable : variables) after.push_back(variable->value);
  return Compare(after, golden.after, tolerance);
}

// The same with references.
absl::Status RunOnReferences(KernelRunner& runner, const GoldenCase& golden, double tolerance) {
  std::vector<Slot> inputs;
  std::vector<RefPtr<RefVariable>> variables;
  for (int i = 0; i < static_cast<int>(golden.inputs.size()); ++i) {
    if (i >= golden.variables) {
      inputs.push_back(ValueSlot(CopyOf(golden.inputs[i])));
      continue;
    }
    variables.push_back(MakeRefCounted<RefVariable>(golden.inputs[i].dtype(), "v"));
    variables.back()->value = CopyOf(golden.inputs[i]);
    inputs.push_back(RefSlot(variables.back()));
  }
  SLUICE_ASSIGN(const std::vector<Slot> outputs,
                runner.RunSlots(golden.op.substr(8), golden.attrs, std::move(inputs)));
  if (outputs.size() != 1 || !(outputs[0].ref == variables[0])) {
    return Internal("the output is not the variable");
  }
  std::vector<Tensor> after;
  for (const auto& variable : variables) after.push_back(variable->value);
  return Compare(after, golden.after, tolerance);
}

TEST(NnGoldenTest, FileIsRead) { EXPECT_GT(Cases().size(), 100u); }

TEST(NnGoldenTest, AnswersAreTensorFlows) {
  KernelRunner runner;
  for (const GoldenCase& golden : Cases()) {
    EXPECT_EQ(RunCase(runner, golden, 3e-6), absl::OkStatus()) << golden.ToString();
  }
}

TEST(NnGoldenTest, ReferencesAreUpdatedAsResourcesAre) {
  KernelRunner runner;
  int run = 0;
  for (const GoldenCase& golden : Cases()) {
    if (golden.variables == 0 || AllOps().Find(golden.op.substr(8)) == nullptr) continue;
    EXPECT_EQ(RunOnReferences(runner, golden, 3e-6), absl::OkStatus()) << golden.ToString();
    ++run;
  }
  EXPECT_GT(run, 30);
}

TEST(NnGoldenTest, OtherFloatingTypesAgree) {
  KernelRunner runner;
  const std::pair<DType, double> types[] = {{kDouble, 1e-5}, {kHalf, 2e-2}, {kBfloat16, 0.15}};
  for (const auto& [dtype, tolerance] : types) {
    int run = 0;
    for (const GoldenCase& golden : Cases()) {
      // Cases where rounding of inputs makes ties, or the arithmetic is an exponential of large
      // numbers.
      const bool delicate = absl::StrContains(golden.op, "MaxPool") ||
                            absl::StrContains(golden.op, "oftmax") ||
                            absl::StrContains(golden.op, "Ftrl");
      if (delicate && dtype != kDouble) continue;
      if (absl::StrContains(golden.op, "FusedBatchNorm")) continue;
      if (dtype == kDouble && absl::StrContains(golden.op, "LRN")) continue;
      const GoldenCase made = InType(golden, dtype);
      EXPECT_EQ(RunCase(runner, made, tolerance), absl::OkStatus())
          << Cat(dtype, " ", made.ToString());
      ++run;
    }
    EXPECT_GT(run, 40);
  }
}

// [n, h, w, c] to [n, c, h, w].
Tensor ChannelsMovedFirst(const Tensor& in) {
  const int64_t spatial = in.dim(1) * in.dim(2), channels = in.dim(3);
  Tensor out(in.dtype(), Shape{in.dim(0), channels, in.dim(1), in.dim(2)});
  EXPECT_TRUE(VisitWidth(in.dtype(), [&]<typename T>(Type<T>) {
                if constexpr (std::is_integral_v<T>) {
                  for (int64_t i = 0; i < in.num_elements(); ++i) {
                    const int64_t n = i / (spatial * channels), p = i / channels % spatial;
                    out.mutable_flat<T>()[(n * channels + i % channels) * spatial + p] =
                        in.flat<T>()[i];
                  }
                }
                return absl::OkStatus();
              }).ok());
  return out;
}

// A case of images with channels last, converted to channels first.
GoldenCase ChannelsMovedFirst(const GoldenCase& golden) {
  GoldenCase made = golden;
  made.attrs["data_format"] = "NCHW";
  for (auto& [name, attr] : made.attrs) {
    const auto* list = attr.get_if<std::vector<int64_t>>();
    if (list == nullptr || list->empty()) continue;
    const int64_t per = static_cast<int64_t>(list->size()) / 4;  // explicit paddings are pairs
    std::vector<int64_t> moved;
    for (int64_t d : {0, 3, 1, 2}) {
      moved.insert(moved.end(), list->begin() + d * per, list->begin() + (d + 1) * per);
    }
    attr = Attr(moved);
  }
  const OpDef& op = *AllOps().Find(golden.op);
  for (size_t i = 0; i < made.inputs.size(); ++i) {
    const std::string& name = op.inputs[i].name;
    Tensor& input = made.inputs[i];
    if (name == "input_sizes" || name == "orig_input_shape") {
      const auto sizes = input.flat<int32_t>();
      input = Tensor::Vector<int32_t>({sizes[0], sizes[3], sizes[1], sizes[2]});
    } else if (input.rank() == 4 && name != "filter") {
      input = ChannelsMovedFirst(input);
    }
  }
  for (Tensor& output : made.outputs) {
    if (output.rank() == 4 && !absl::EndsWith(golden.op, "BackpropFilter")) {
      output = ChannelsMovedFirst(output);
    }
  }
  return made;
}

TEST(NnGoldenTest, LayoutDoesNotChangeAnswers) {
  KernelRunner runner;
  int run = 0;
  for (const GoldenCase& golden : Cases()) {
    const OpDef* op = AllOps().Find(golden.op);
    if (op == nullptr || op->FindAttr("data_format") == nullptr) continue;
    if (golden.attrs.contains("data_format")) continue;
    if (golden.op == "MaxPool" && golden.inputs[0].dtype() != kFloat) continue;
    const GoldenCase made = ChannelsMovedFirst(golden);
    EXPECT_EQ(RunCase(runner, made, 3e-6), absl::OkStatus()) << made.ToString();
    ++run;
  }
  EXPECT_GT(run, 40);
}

}  // namespace
}  // namespace sluice::kernels
