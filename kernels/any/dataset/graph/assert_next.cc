// SPDX-License-Identifier: Apache-2.0
// AssertNextDataset: assertions about the data sets that read one.
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/recipe.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// The names of transformations as TensorFlow's iterators have them: the op's,
// without "Dataset".
class Names {
 public:
  Names(bool later_release, bool latency) : later_release_(later_release), latency_(latency) {
    if (latency_) names.push_back(kLatency);
  }

  // Those of the data sets from behind the assertion about `input_of_assertion` to the run's last
  // one. None if `from` does not read it.
  bool Find(const DataSet& from, const DataSet& input_of_assertion) {
    const Recipe* recipe = from.recipe();
    if (recipe == nullptr || recipe->inputs.empty()) return false;
    if (absl::EndsWith(recipe->node->op, "AssertNextDataset") &&
        DataSetIn(recipe->inputs[0]) == &input_of_assertion)
      return true;
    size_t inputs = 0, input = 0;
    for (const Tensor& tensor : recipe->inputs) inputs += DataSetIn(tensor) != nullptr;
    for (const Tensor& tensor : recipe->inputs) {
      const DataSet* before = DataSetIn(tensor);
      if (before == nullptr) continue;
      if (Find(*before, input_of_assertion)) {
        Add(*recipe, inputs > 1, input);
        return true;
      }
      ++input;
    }
    return false;
  }
  std::vector<std::string> names;

 private:
  void Add(const Recipe& recipe, bool many, size_t input) {
    absl::string_view op = recipe.node->op;
    absl::ConsumePrefix(&op, "Experimental");
    const size_t end = op.find("Dataset");
    if (end == absl::string_view::npos) return;
    std::string name = absl::StrCat(op.substr(0, end), op.substr(end + 7));
    // Options are no stages.
    if (name == "Optimize") latency_ = false;  // it is not measured around the optimised graph
    if (name == "Optimize" || name == "Options" || name == "NonSerializable") return;
    if (name == "Take" || name == "Skip") name = absl::StrCat("Finite", name);
    if (name == "Repeat") {
      const bool finite = recipe.inputs[1].scalar<int64_t>() >= 0;
      name = absl::StrCat(finite ? "FiniteRepeat" : "ForeverRepeat", later_release_ ? "[0]" : "");
    }
    if (absl::StartsWith(name, "ShuffleV")) name = "Shuffle";
    if (absl::StartsWith(name, "Cache")) name = "MemoryCacheImpl";
    if (many) absl::StrAppend(&name, "[", input, "]");
    names.push_back(std::move(name));
    if (latency_ && absl::EndsWith(op, "Dataset")) names.push_back(kLatency);
  }
  static constexpr char kLatency[] = "LatencyStats";
  const bool later_release_;
  bool latency_;  // TensorFlow has a data set that measures it behind each one
};

// AssertNextDataset: the input's elements, if the data sets behind it have
// these names.
class AssertNext final : public DataSet {
 public:
  AssertNext(ElementSpec spec, Input input, std::vector<std::string> names, bool later_release)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        names_(std::move(names)),
        later_release_(later_release) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    Names found(later_release_, running.latency);
    found.Find(*running.state->root, *input_);
    if (later_release_) found.names.push_back("Root");
    if (names_.size() > found.names.size()) {
      return InvalidArgument("Asserted next ", names_.size(),
                             " transformations but encountered only ", found.names.size(), ".");
    }
    for (size_t i = 0; i < names_.size(); ++i) {
      if (Matches(found.names[i], names_[i])) continue;
      if (!later_release_) {
        return InvalidArgument("Asserted ", names_[i], " transformation at offset ", i,
                               " but encountered ", found.names[i], " transformation instead.");
      }
      return InvalidArgument("Asserted transformation matching ", names_[i], " at offset ", i,
                             " but encountered ", found.names[i], " transformation instead.");
    }
    return input_->Begin(running);
  }

 private:
  // Later releases compare without the version.
  bool Matches(absl::string_view found, absl::string_view wanted) const {
    if (found == wanted) return true;
    int version = 0;
    return later_release_ && absl::ConsumePrefix(&found, wanted) &&
           absl::ConsumePrefix(&found, "V") && absl::SimpleAtoi(found, &version);
  }

  const Input input_;
  const std::vector<std::string> names_;
  const bool later_release_;
};

struct AssertNextDataset {
  ElementSpec spec;
  bool later_release;

  static absl::StatusOr<AssertNextDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return AssertNextDataset{std::move(spec), !IsFrom1x(node)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    if (ctx.input(1).rank() > 1) {
      return InvalidArgument("transformations must be a scalar or a vector.");
    }
    const auto names = ctx.input(1).flat<std::string>();
    SetDataSet(ctx, MakeRefCounted<AssertNext>(spec, std::move(input),
                                               std::vector<std::string>(names.begin(), names.end()),
                                               later_release));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterAssertions(KernelRegistry& kernels) {
  for (auto op : {"AssertNextDataset", "ExperimentalAssertNextDataset"})
    kernels.Add<AssertNextDataset>(op, kCpu);
}

}  // namespace sluice::kernels
