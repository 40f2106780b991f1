// SPDX-License-Identifier: Apache-2.0
// Data sets of windows of the input, as data sets or batches, and of groups of its elements.
#include <algorithm>
#include <deque>
#include <map>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/batches.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/held_elements.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

Tensor TensorOf(RefPtr<const DataSet> set) {
  return Tensor::Scalar<Variant>(Variant(std::move(set)));
}

struct WindowOptions {
  int64_t size = 1, shift = 1, stride = 1;  // elements
  bool drop_remainder = false;
  bool batches = false;  // a window is a batch, not a data set for each component
  int64_t span() const { return (size - 1) * stride + 1; }
};

// WindowDataset and SlidingWindowDataset: `size` elements of the input, every `stride`th; the next
// window begins `shift` elements later. As in TensorFlow, an error in a window takes its place, or
// that of one element of a batch; errors between windows are passed over. State: the elements from
// the window's first on.
class Windows final : public DataSet {
 public:
  Windows(ElementSpec spec, Input input, const WindowOptions& options)
      : DataSet(std::move(spec)), input_(std::move(input)), options_(options) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (n < 0) return n;
    if (!options_.drop_remainder) return n / options_.shift + (n % options_.shift == 0 ? 0 : 1);
    return n < options_.span() ? 0 : (n - options_.span()) / options_.shift + 1;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(*this, std::move(input), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Windows& set, std::unique_ptr<Stage> input, const Running& running)
        : set_(set), input_(std::move(input)), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      const WindowOptions& options = set_.options_;
      for (; skipped_ > 0 && !ended_; --skipped_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        const absl::StatusOr<bool> more = input_->Next(element);
        ended_ = more.ok() && !*more;
      }
      while (!ended_ && static_cast<int64_t>(held_.size()) < options.span()) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        Held next;
        next.more = input_->Next(next.element);
        if (!next.more.ok() && options.batches) return next.more;
        ended_ = next.more.ok() && !*next.more;
        if (!ended_) held_.push_back(std::move(next));
      }
      const auto count = static_cast<int64_t>(held_.size());
      if (count == 0 || (options.drop_remainder && count < options.span())) return false;
      std::vector<Element> rows;
      absl::Status first_error;
      for (int64_t i = 0; i < count; i += options.stride) {
        first_error.Update(held_[static_cast<size_t>(i)].more.status());
        rows.push_back(held_[static_cast<size_t>(i)].element);
      }
      const int64_t gone = std::min(count, options.shift);
      held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone));
      skipped_ = options.shift - gone;
      if (!first_error.ok()) return first_error;
      if (options.batches) {
        SLUICE_ASSIGN(element, BatchOf(std::move(rows), nullptr));
      } else {
        element = DataSetsOf(rows);
      }
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      auto count = static_cast<int64_t>(held_.size());
      SLUICE_RETURN_IF_ERROR(state.Fields("Window", skipped_, ended_, count));
      for (int64_t i = 0; i < count; ++i) {
        if (state.restoring()) held_.emplace_back();
        Held& held = held_[static_cast<size_t>(i)];
        SLUICE_RETURN_IF_ERROR(state.Fields("Held", held.more, held.element));
        if (held.more.ok()) SLUICE_RETURN_IF_ERROR(set_.input_->spec().AcceptsTypes(held.element));
      }
      return absl::OkStatus();
    }

   private:
    struct Held {
      absl::StatusOr<bool> more = true;
      Element element;
    };
    Element DataSetsOf(const std::vector<Element>& rows) const {
      Element element;
      const ElementSpec& spec = set_.input_->spec();
      for (size_t component = 0; component < spec.types.size(); ++component) {
        std::vector<Element> part;
        for (const Element& row : rows) part.push_back({row[component]});
        element.push_back(TensorOf(MakeRefCounted<HeldElements>(
            ElementSpec{{spec.types[component]}, {spec.shapes[component]}}, std::move(part))));
      }
      return element;
    }

    const Windows& set_;
    const std::unique_ptr<Stage> input_;
    const Running running_;
    std::deque<Held> held_;
    int64_t skipped_ = 0;
    bool ended_ = false;
  };
  const Input input_;
  const WindowOptions options_;
};

struct WindowDataset {
  static constexpr int64_t kMostHeld = int64_t{1} << 31;
  ElementSpec spec;
  bool batches, drop_remainder;

  static absl::StatusOr<WindowDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return WindowDataset{std::move(spec), node.op != "WindowDataset",
                         GetAttrOr<bool>(node.attrs, "drop_remainder", true)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    WindowOptions options;
    SLUICE_ASSIGN(options.size, ScalarInput<int64_t>(ctx, 1, "size"));
    SLUICE_ASSIGN(options.shift, ScalarInput<int64_t>(ctx, 2, "shift"));
    SLUICE_ASSIGN(options.stride, ScalarInput<int64_t>(ctx, 3, "stride"));
    options.batches = batches;
    options.drop_remainder = drop_remainder;
    if (!batches) {
      SLUICE_ASSIGN(options.drop_remainder, ScalarInput<bool>(ctx, 4, "drop_remainder"));
    }
    if (options.size <= 0) return InvalidArgument("Window size must be greater than zero.");
    if (options.shift <= 0) return InvalidArgument("Window shift must be greater than zero.");
    if (options.stride <= 0) {
      return InvalidArgument(batches ? "window_stride" : "Window stride",
                             " must be greater than zero.");
    }
    if (options.size > kMostHeld / options.stride) {
      return InvalidArgument("a window of ", options.size, " elements with stride ", options.stride,
                             " is larger than ", kMostHeld);
    }
    SetDataSet(ctx, MakeRefCounted<Windows>(spec, std::move(input), options));
    return absl::OkStatus();
  }
};

// GroupByWindowDataset: elements with one key are gathered until there are as many as the key's
// window, or the input ends; a function makes a data set of them. State: the groups, and the data
// set that is being read.
class GroupByWindow final : public DataSet {
 public:
  GroupByWindow(ElementSpec spec, Input input, CapturedFunction key, CapturedFunction reduce,
                CapturedFunction size)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        key_(std::move(key)),
        reduce_(std::move(reduce)),
        size_(std::move(size)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    auto run = std::make_unique<Run>(*this, running.Nested());
    SLUICE_ASSIGN(run->input, input_->Begin(running));
    SLUICE_ASSIGN(run->key, StageFunction::Create(key_, running));
    SLUICE_ASSIGN(run->reduce, StageFunction::Create(reduce_, running));
    SLUICE_ASSIGN(run->size, StageFunction::Create(size_, running));
    return run;
  }

 private:
  struct Group {
    int64_t size = 0;
    std::vector<Element> elements;
  };
  struct Run final : Stage {
    Run(const GroupByWindow& of, const Running& in) : set(of), running(in) {}
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running.Check());
        if (reading != nullptr) {
          SLUICE_ASSIGN(const bool more, reading->Next(element));
          if (more) return true;
          reading.reset();
          reduced.reset();
          group.reset();
          continue;
        }
        if (!ended) {
          Element next;
          SLUICE_ASSIGN(const bool more, input->Next(next));
          ended = !more;
          if (more) SLUICE_RETURN_IF_ERROR(Gather(std::move(next)));
          continue;
        }
        if (groups.empty()) return false;
        SLUICE_RETURN_IF_ERROR(Reduce(groups.begin()));
      }
    }
    absl::Status Gather(Element next) {
      SLUICE_ASSIGN(const int64_t of, key.CallForScalar<int64_t>(next, "`key_func`"));
      const auto [found, made] = groups.try_emplace(of);
      if (made) {
        const absl::StatusOr<int64_t> wanted =
            size.CallForScalar<int64_t>({Tensor::Scalar<int64_t>(of)}, "`window_size_func`");
        if (!wanted.ok() || *wanted <= 0) {
          groups.erase(found);
          if (!wanted.ok()) return wanted.status();
          return InvalidArgument("Window size must be greater than zero, but got ", *wanted, ".");
        }
        found->second.size = *wanted;
      }
      found->second.elements.push_back(std::move(next));
      if (static_cast<int64_t>(found->second.elements.size()) < found->second.size)
        return absl::OkStatus();
      return Reduce(found);
    }
    absl::Status Reduce(std::map<int64_t, Group>::iterator full) {
      const int64_t of = full->first;
      std::vector<Element> elements = std::move(full->second.elements);
      groups.erase(full);
      return Reduce(of, std::move(elements));
    }
    absl::Status Reduce(int64_t of, std::vector<Element> elements) {
      group_key = of;
      group = MakeRefCounted<HeldElements>(set.input_->spec(), std::move(elements));
      SLUICE_ASSIGN(const Element results,
                    reduce.Call({Tensor::Scalar<int64_t>(of), TensorOf(group)}));
      SLUICE_ASSIGN(reduced, DataSetOf(results));
      SLUICE_RETURN_IF_ERROR(set.spec().Accepts(reduced->spec()));
      SLUICE_ASSIGN(reading, reduced->Begin(running, static_cast<uint64_t>(of)));
      return absl::OkStatus();
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input->SaveOrRestore(state));
      std::vector<int64_t> keys, sizes;
      std::vector<std::vector<Element>> elements;
      for (const auto& [of, gathered] : groups) {
        keys.push_back(of);
        sizes.push_back(gathered.size);
        elements.push_back(gathered.elements);
      }
      bool begun = reading != nullptr;
      SLUICE_RETURN_IF_ERROR(state.Fields("GroupByWindow", keys, sizes, elements, ended, begun));
      if (state.restoring()) {
        if (sizes.size() != keys.size() || elements.size() != keys.size())
          return InvalidArgument("the groups of the saved state are not complete");
        groups.clear();
        for (size_t i = 0; i < keys.size(); ++i)
          groups[keys[i]] = Group{sizes[i], std::move(elements[i])};
      }
      if (!begun) return absl::OkStatus();
      std::vector<Element> in_group;
      if (!state.restoring()) in_group = group->elements();
      SLUICE_RETURN_IF_ERROR(state.Fields("Group", group_key, in_group));
      if (state.restoring()) SLUICE_RETURN_IF_ERROR(Reduce(group_key, std::move(in_group)));
      return reading->SaveOrRestore(state);
    }

    const GroupByWindow& set;
    const Running running;
    std::unique_ptr<Stage> input;
    StageFunction key, reduce, size;
    std::map<int64_t, Group> groups;
    int64_t group_key = 0;  // of the group that is being read
    RefPtr<const HeldElements> group;
    Input reduced;  // what the function made of it
    std::unique_ptr<Stage> reading;
    bool ended = false;
  };
  const Input input_;
  const CapturedFunction key_, reduce_, size_;
};

struct GroupByWindowDataset {
  ElementSpec spec;
  FunctionAttr key, reduce, size;

  static absl::StatusOr<GroupByWindowDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr key,
                  FunctionAttr::Create(node, "key_func", "key_func_other_arguments"));
    SLUICE_ASSIGN(FunctionAttr reduce,
                  FunctionAttr::Create(node, "reduce_func", "reduce_func_other_arguments"));
    SLUICE_ASSIGN(FunctionAttr size, FunctionAttr::Create(node, "window_size_func",
                                                          "window_size_func_other_arguments"));
    return GroupByWindowDataset{std::move(spec), std::move(key), std::move(reduce),
                                std::move(size)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(CapturedFunction of_key, CapturedFunction::Create(ctx, key));
    SLUICE_ASSIGN(CapturedFunction of_reduce, CapturedFunction::Create(ctx, reduce));
    SLUICE_ASSIGN(CapturedFunction of_size, CapturedFunction::Create(ctx, size));
    SetDataSet(ctx, MakeRefCounted<GroupByWindow>(spec, std::move(input), std::move(of_key),
                                                  std::move(of_reduce), std::move(of_size)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterWindows(KernelRegistry& kernels) {
  for (auto op : {"WindowDataset", "SlidingWindowDataset", "ExperimentalSlidingWindowDataset"})
    kernels.Add<WindowDataset>(op, kCpu);
  for (auto op : {"GroupByWindowDataset", "ExperimentalGroupByWindowDataset"})
    kernels.Add<GroupByWindowDataset>(op, kCpu);
}

}  // namespace sluice::kernels
