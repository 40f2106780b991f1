// SPDX-License-Identifier: Apache-2.0
// Data sets from memory: one tuple, the rows of tensors, a list of elements, a range of numbers.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/held_elements.h"
#include "kernels/common/tensor_rows.h"

namespace sluice::kernels {
namespace {

// The values of all inputs, which stay as they are.
absl::StatusOr<Element> KeptComponents(KernelContext& ctx, const ElementSpec& spec) {
  SLUICE_ASSIGN(Element components, KeptInputs(ctx, {0, ctx.num_inputs()}));
  if (components.size() == spec.types.size()) return components;
  return InvalidArgument("the data set has ", spec.types.size(), " components, but is given ",
                         components.size());
}

// What the elements are, whatever the attributes say. `skipped`: dimensions that they do not have.
ElementSpec SpecOf(const Element& components, int skipped) {
  ElementSpec spec;
  for (const Tensor& component : components) {
    spec.types.push_back(component.dtype());
    Shape shape;
    for (int d = skipped; d < component.rank(); ++d) shape.AddDim(component.dim(d));
    spec.shapes.emplace_back(shape);
  }
  return spec;
}

// TensorDataset: one element. Its state: whether it was given.
class OneTuple final : public DataSet {
 public:
  OneTuple(ElementSpec spec, Element element)
      : DataSet(std::move(spec)), element_(std::move(element)) {}
  int64_t Cardinality() const override { return 1; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running&) const override {
    return std::make_unique<Run>(element_);
  }

 private:
  class Run final : public Stage {
   public:
    explicit Run(const Element& element) : element_(element) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (given_) return false;
      element = element_;
      given_ = true;
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      return state.Fields("OneTuple", given_);
    }

   private:
    const Element& element_;
    bool given_ = false;
  };
  const Element element_;
};

struct TensorDataset {
  ElementSpec spec;
  static absl::StatusOr<TensorDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return TensorDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Element components, KeptComponents(ctx, spec));
    ElementSpec made = SpecOf(components, 0);
    SetDataSet(ctx, MakeRefCounted<OneTuple>(std::move(made), std::move(components)));
    return absl::OkStatus();
  }
};

// TensorSliceDataset: the rows of the components. Its state: the next row.
class RowsOfTensors final : public DataSet {
 public:
  RowsOfTensors(ElementSpec spec, Element tensors)
      : DataSet(std::move(spec)), tensors_(std::move(tensors)) {}
  int64_t Cardinality() const override { return tensors_[0].dim(0); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running&) const override {
    return std::make_unique<Run>(tensors_);
  }

 private:
  class Run final : public Stage {
   public:
    explicit Run(const Element& tensors) : tensors_(tensors) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (row_ >= tensors_[0].dim(0)) return false;
      const int64_t row = row_++;
      element.resize(tensors_.size());
      for (size_t i = 0; i < tensors_.size(); ++i)
        SLUICE_RETURN_IF_ERROR(CopyRow(tensors_[i], row, element[i]));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("RowsOfTensors", row_));
      if (row_ >= 0) return absl::OkStatus();
      return InvalidArgument("the saved row of a data set is ", row_);
    }

   private:
    const Element& tensors_;
    int64_t row_ = 0;
  };
  const Element tensors_;
};

struct TensorSliceDataset {
  ElementSpec spec;
  static absl::StatusOr<TensorSliceDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return TensorSliceDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Element tensors, KeptComponents(ctx, spec));
    if (tensors.empty()) return InvalidArgument("a data set of rows needs at least one component");
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].rank() < 1) {
        return InvalidArgument("All components must be at least 1-dimensional; component ", i,
                               " is a scalar");
      }
      if (tensors[i].dim(0) != tensors[0].dim(0)) {
        return InvalidArgument(
            "All components must have the same size in the 0th dimension; "
            "component ",
            i, " has ", tensors[i].dim(0), ", component 0 has ", tensors[0].dim(0));
      }
    }
    ElementSpec made = SpecOf(tensors, 1);
    SetDataSet(ctx, MakeRefCounted<RowsOfTensors>(std::move(made), std::move(tensors)));
    return absl::OkStatus();
  }
};

// Elements of any shapes.
struct ListDataset {
  ElementSpec spec;
  static absl::StatusOr<ListDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return ListDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Element tensors, KeptInputs(ctx, {0, ctx.num_inputs()}));
    const size_t components = spec.types.size();
    if (tensors.size() % components != 0) {
      return InvalidArgument("the data set has ", components, " components, but is given ",
                             tensors.size(), " tensors");
    }
    std::vector<Element> elements;
    for (auto from = tensors.begin(); from != tensors.end(); from += components) {
      elements.emplace_back(from, from + components);
      SLUICE_RETURN_IF_ERROR(spec.AcceptsElement(elements.back()));
    }
    SetDataSet(ctx, MakeRefCounted<HeldElements>(spec, std::move(elements)));
    return absl::OkStatus();
  }
};

// RangeDataset. Its state: the next number.
class Range final : public DataSet {
 public:
  Range(ElementSpec spec, int64_t start, int64_t stop, int64_t step)
      : DataSet(std::move(spec)), start_(start), stop_(stop), step_(step) {}
  int64_t Cardinality() const override {
    const auto distance =
        step_ > 0 ? static_cast<__int128>(stop_) - start_ : static_cast<__int128>(start_) - stop_;
    const __int128 size = step_ > 0 ? step_ : -static_cast<__int128>(step_);
    return distance <= 0 ? 0 : static_cast<int64_t>((distance + size - 1) / size);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running&) const override {
    return std::make_unique<Run>(*this);
  }

 private:
  class Run final : public Stage {
   public:
    explicit Run(const Range& range)
        : range_(range), left_(range.Cardinality()), next_(static_cast<uint64_t>(range.start_)) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (left_ == 0) return false;
      --left_;
      const auto number = static_cast<int64_t>(next_);
      next_ += static_cast<uint64_t>(range_.step_);  // may wrap after the last
      const DType type = range_.spec().types[0];
      element.resize(1);
      SLUICE_RETURN_IF_ERROR(MakeWritable(element[0], type, Shape()));
      if (type == kInt64) {
        *element[0].mutable_data<int64_t>() = number;
        return true;
      }
      SLUICE_RETURN_IF_ERROR(VisitDType(NumericTypes{}, type, [&]<typename T>(Type<T>) {
        *element[0].mutable_data<T>() = static_cast<T>(number);
        return absl::OkStatus();
      }));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      return state.Fields("Range", left_, next_);
    }

   private:
    const Range& range_;
    int64_t left_;
    uint64_t next_;
  };
  const int64_t start_, stop_, step_;
};

struct RangeDataset {
  ElementSpec spec;
  static absl::StatusOr<RangeDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    if (spec.types.size() != 1) return InvalidArgument("a range has one component");
    return RangeDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t start, ScalarInput<int64_t>(ctx, 0, "start"));
    SLUICE_ASSIGN(const int64_t stop, ScalarInput<int64_t>(ctx, 1, "stop"));
    SLUICE_ASSIGN(const int64_t step, ScalarInput<int64_t>(ctx, 2, "step"));
    if (step == 0) return InvalidArgument("step must be a non-zero integer.");
    SetDataSet(ctx, MakeRefCounted<Range>(spec, start, stop, step));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTensorSources(KernelRegistry& kernels) {
  kernels.Add<TensorDataset>("TensorDataset", kCpu);
  kernels.Add<TensorSliceDataset>("TensorSliceDataset", kCpu);
  kernels.Add<ListDataset>("ListDataset", kCpu);
  kernels.Add<RangeDataset>("RangeDataset", kCpu);
}

}  // namespace sluice::kernels
