// SPDX-License-Identifier: Apache-2.0
// Data sets that choose among the elements of their inputs: repeat, take, skip, shard, concatenate,
// zip.
#include <algorithm>
#include <limits>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/dataset/shards.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// RepeatDataset: the input `count` times; without end if that is negative. Its state: the current
// run, how many have ended, and whether the current one has given an element.
class Repeat final : public DataSet {
 public:
  Repeat(Input input, int64_t count)
      : DataSet(input->spec()), input_(std::move(input)), count_(count) {}

  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (count_ == 0 || n == 0) return 0;
    if (count_ < 0) return kInfinite;
    if (n < 0) return n;
    return n > std::numeric_limits<int64_t>::max() / count_ ? kInfinite : n * count_;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    if (running.rewrites.shuffle_and_repeat && count_ != 0) {
      SLUICE_ASSIGN(std::unique_ptr<Stage> repeated, input_->BeginRepeated(running, count_));
      if (repeated != nullptr) return repeated;
    }
    auto run = std::make_unique<Run>(*this, running);
    if (count_ > 0) SLUICE_RETURN_IF_ERROR(run->BeginInput());
    return run;
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Repeat& set, const Running& running)
        : set_(set), running_(running), left_(set.count_) {}
    absl::Status BeginInput() {
      SLUICE_ASSIGN(input_, set_.input_->Begin(running_));
      any_ = false;
      return absl::OkStatus();
    }
    absl::StatusOr<bool> Next(Element& element) override {
      while (left_ != 0) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        if (input_ == nullptr) SLUICE_RETURN_IF_ERROR(BeginInput());
        SLUICE_ASSIGN(const bool more, input_->Next(element));
        if (more) {
          any_ = true;
          return true;
        }
        input_.reset();
        if (left_ > 0) {
          --left_;
          // Also after the last, as in TensorFlow: it draws seeds at the places before.
          SLUICE_RETURN_IF_ERROR(BeginInput());
        } else if (!any_) {
          left_ = 0;  // an empty input, repeated without end
        }
      }
      return false;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("Repeat", left_, any_));
      return SaveOrRestoreInput(state, input_, [&] { return set_.input_->Begin(running_); });
    }

   private:
    const Repeat& set_;
    const Running running_;
    int64_t left_;
    bool any_ = false;
    std::unique_ptr<Stage> input_;
  };
  const Input input_;
  const int64_t count_;
};

// TakeDataset: the first `count` elements; all if that is negative. Its state: the number given.
class Take final : public DataSet {
 public:
  Take(Input input, int64_t count)
      : DataSet(input->spec()), input_(std::move(input)), count_(count) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (count_ < 0 || n == kUnknown) return n;
    return n == kInfinite ? count_ : std::min(n, count_);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(std::move(input), count_);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, int64_t left) : input_(std::move(input)), left_(left) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (left_ == 0) return false;
      SLUICE_ASSIGN(const bool more, input_->Next(element));
      if (!more)
        left_ = 0;
      else if (left_ > 0)
        --left_;
      return more;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Take", left_);
    }

   private:
    const std::unique_ptr<Stage> input_;
    int64_t left_;
  };
  const Input input_;
  const int64_t count_;
};

// SkipDataset: without the first `count` elements; none if that is negative. Its state: the number
// still to be skipped.
class Skip final : public DataSet {
 public:
  Skip(Input input, int64_t count)
      : DataSet(input->spec()), input_(std::move(input)), count_(count) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (n < 0) return n;  // as in TensorFlow, also if all are skipped
    return count_ < 0 ? 0 : std::max<int64_t>(0, n - count_);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(std::move(input), count_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, int64_t count, const Running& running)
        : input_(std::move(input)), left_(count), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (left_ < 0) return false;
      for (; left_ > 0; --left_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, input_->Next(element));
        if (!more) {
          left_ = -1;
          return false;
        }
      }
      return input_->Next(element);
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Skip", left_);
    }

   private:
    const std::unique_ptr<Stage> input_;
    int64_t left_;
    const Running running_;
  };
  const Input input_;
  const int64_t count_;
};

// ShardDataset: every element whose number is `index` modulo `shards`. Its state: the number of the
// next element of the input.
class Shard final : public DataSet {
 public:
  Shard(Input input, int64_t shards, int64_t index, bool require_non_empty)
      : DataSet(input->spec()),
        input_(std::move(input)),
        shards_(shards),
        index_(index),
        require_non_empty_(require_non_empty) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    return n < 0 ? n : n / shards_ + (index_ < n % shards_ ? 1 : 0);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(*this, std::move(input), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Shard& set, std::unique_ptr<Stage> input, const Running& running)
        : set_(set), input_(std::move(input)), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, input_->Next(element));
        if (!more) return false;
        if (next_++ % set_.shards_ != set_.index_) continue;
        if (set_.require_non_empty_ && next_ <= set_.shards_) SLUICE_RETURN_IF_ERROR(LookAhead());
        return true;
      }
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Shard", next_);
    }

   private:
    // All shards have an element if the input has as many as there are shards.
    absl::Status LookAhead() {
      if (next_ == set_.shards_) return absl::OkStatus();
      Element last;
      for (; next_ < set_.shards_; ++next_) {
        SLUICE_ASSIGN(const bool more, input_->Next(last));
        if (more) continue;
        return InvalidArgument(
            "There aren't enough elements in this dataset for each shard to "
            "have at least one element (# elems = ",
            next_, ", # shards = ", set_.shards_,
            "). If you are using datasets with distribution "
            "strategy, consider setting the auto sharding policy to either DATA "
            "or OFF.");
      }
      return absl::OkStatus();
    }
    const Shard& set_;
    const std::unique_ptr<Stage> input_;
    const Running running_;
    int64_t next_ = 0;
  };
  const Input input_;
  const int64_t shards_, index_;
  const bool require_non_empty_;
};

// ConcatenateDataset: the elements of one input after those of the other. Its state: which one.
class Concatenate final : public DataSet {
 public:
  Concatenate(ElementSpec spec, Input first, Input second)
      : DataSet(std::move(spec)), first_(std::move(first)), second_(std::move(second)) {}
  int64_t Cardinality() const override {
    const int64_t a = first_->Cardinality(), b = second_->Cardinality();
    if (a == kInfinite || b == kInfinite) return kInfinite;
    return a == kUnknown || b == kUnknown ? kUnknown : a + b;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto first, first_->Begin(running));
    return std::make_unique<Run>(*this, std::move(first), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Concatenate& set, std::unique_ptr<Stage> first, const Running& running)
        : set_(set), current_(std::move(first)), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      SLUICE_ASSIGN(const bool more, current_->Next(element));
      if (more || second_) return more;
      SLUICE_ASSIGN(current_, set_.second_->Begin(running_, 1));
      second_ = true;
      return current_->Next(element);
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("Concatenate", second_));
      if (state.restoring() && second_) {
        SLUICE_ASSIGN(current_, set_.second_->Begin(running_, 1));
      }
      return current_->SaveOrRestore(state);
    }

   private:
    const Concatenate& set_;
    std::unique_ptr<Stage> current_;
    const Running running_;
    bool second_ = false;
  };
  const Input first_, second_;
};

// ZipDataset: the components of one element of each input, until one of them ends. Its state: that
// of the inputs.
class Zip final : public DataSet {
 public:
  Zip(ElementSpec spec, std::vector<Input> inputs)
      : DataSet(std::move(spec)), inputs_(std::move(inputs)) {}
  int64_t Cardinality() const override {
    int64_t least = kInfinite;
    for (const Input& input : inputs_) {
      const int64_t n = input->Cardinality();
      if (n == kUnknown) return kUnknown;
      if (n != kInfinite) least = least == kInfinite ? n : std::min(least, n);
    }
    return least;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    std::vector<std::unique_ptr<Stage>> stages;
    for (const Input& input : inputs_) {
      SLUICE_ASSIGN(auto stage, input->Begin(running, stages.size()));
      stages.push_back(std::move(stage));
    }
    return std::make_unique<Run>(std::move(stages));
  }

 private:
  class Run final : public Stage {
   public:
    explicit Run(std::vector<std::unique_ptr<Stage>> inputs) : inputs_(std::move(inputs)) {}
    absl::StatusOr<bool> Next(Element& element) override {
      element.clear();
      if (ended_) return false;
      absl::Status first_error;  // the other inputs move on too
      for (const std::unique_ptr<Stage>& input : inputs_) {
        const absl::StatusOr<bool> more = input->Next(part_);
        first_error.Update(more.status());
        if (!more.ok()) continue;
        if (!*more) {
          ended_ = true;
          return false;
        }
        std::move(part_.begin(), part_.end(), std::back_inserter(element));
      }
      if (!first_error.ok()) return first_error;
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      for (const std::unique_ptr<Stage>& input : inputs_)
        SLUICE_RETURN_IF_ERROR(input->SaveOrRestore(state));
      return state.Fields("Zip", ended_);
    }

   private:
    const std::vector<std::unique_ptr<Stage>> inputs_;
    Element part_;
    bool ended_ = false;
  };
  const std::vector<Input> inputs_;
};

// An op with an input and a count.
template <typename Set>
struct Counted {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t count, ScalarInput<int64_t>(ctx, 1, "count"));
    SetDataSet(ctx, MakeRefCounted<Set>(std::move(input), count));
    return absl::OkStatus();
  }
};

struct ShardDataset {
  bool require_non_empty;
  static absl::StatusOr<ShardDataset> Create(const NodeSpec& node) {
    return ShardDataset{GetAttrOr<bool>(node.attrs, "require_non_empty", false)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t shards, ScalarInput<int64_t>(ctx, 1, "num_shards"));
    SLUICE_ASSIGN(const int64_t index, ScalarInput<int64_t>(ctx, 2, "index"));
    if (shards <= 0) {
      return InvalidArgument(
          "Number of shards must be greater than zero (currently num_shards = ", shards, ").");
    }
    if (index < 0 || index >= shards) {
      return InvalidArgument("Index must be between 0 and ", shards - 1,
                             " (currently index = ", index, ").");
    }
    SetDataSet(ctx, MakeShard(std::move(input), shards, index, require_non_empty));
    return absl::OkStatus();
  }
};

struct ConcatenateDataset {
  ElementSpec spec;
  static absl::StatusOr<ConcatenateDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return ConcatenateDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input first, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(Input second, DataSetInput(ctx, 1));
    if (first->spec().types != second->spec().types) {
      return InvalidArgument(
          "input dataset and another dataset must have the same output_types, "
          "got them different");
    }
    SetDataSet(ctx, MakeRefCounted<Concatenate>(spec, std::move(first), std::move(second)));
    return absl::OkStatus();
  }
};

struct ZipDataset {
  ElementSpec spec;
  static absl::StatusOr<ZipDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return ZipDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    std::vector<Input> inputs;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      SLUICE_ASSIGN(Input input, DataSetInput(ctx, i));
      inputs.push_back(std::move(input));
    }
    SetDataSet(ctx, MakeRefCounted<Zip>(spec, std::move(inputs)));
    return absl::OkStatus();
  }
};

}  // namespace

RefPtr<const DataSet> MakeShard(RefPtr<const DataSet> input, int64_t shards, int64_t index,
                                bool require_non_empty) {
  return MakeRefCounted<Shard>(std::move(input), shards, index, require_non_empty);
}

void RegisterSequences(KernelRegistry& kernels) {
  kernels.Add<Counted<Repeat>>("RepeatDataset", kCpu);
  kernels.Add<Counted<Take>>("TakeDataset", kCpu);
  kernels.Add<Counted<Skip>>("SkipDataset", kCpu);
  kernels.Add<ShardDataset>("ShardDataset", kCpu);
  kernels.Add<ConcatenateDataset>("ConcatenateDataset", kCpu);
  kernels.Add<ZipDataset>("ZipDataset", kCpu);
}

}  // namespace sluice::kernels
