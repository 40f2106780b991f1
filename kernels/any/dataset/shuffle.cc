// SPDX-License-Identifier: Apache-2.0
// Data sets in a random order: shuffle, and shuffle with repetition, with TensorFlow's numbers.
#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/element_buffer.h"
#include "kernels/common/dataset/owned_resource.h"
#include "kernels/common/dataset/seeds.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

struct ShuffleOptions {
  int64_t buffer = 1;
  int64_t count = 1;       // of repetitions; negative: without end
  bool reshuffle = false;  // each run through the data set has another order
  bool begins_once_more = false;
  bool reseeds = false;  // each repetition begins with seeds of its own
  Seeds seeds;
};

// The next elements of the input, in an order drawn from a buffer of them. With repetitions, the
// elements of one are given before those of the next, although the buffer may hold both.
//
// State: the buffer, where the repetitions in it begin and end, and how many numbers were drawn.
class Shuffle final : public DataSet {
 public:
  // `seeds_of_runs`: null if each place has its own.
  Shuffle(Input input, const ShuffleOptions& options, RefPtr<SeedGenerator> seeds_of_runs)
      : DataSet(input->spec()),
        input_(std::move(input)),
        options_(options),
        seeds_of_runs_(std::move(seeds_of_runs)) {}

  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (options_.count == 0 || n == 0) return 0;
    if (options_.count < 0) return n == kUnknown ? kUnknown : kInfinite;
    return n < 0 ? n : n * options_.count;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    RefPtr<SeedGenerator> seeds_of_runs = SeedsAt(running);
    const Seeds seeds = seeds_of_runs->Next();
    return std::make_unique<Run>(*this, running, std::move(seeds_of_runs), seeds, options_.count);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginRepeated(const Running& running,
                                                       int64_t count) const override {
    if (!options_.reshuffle || seeds_of_runs_) return std::unique_ptr<Stage>();
    return std::make_unique<Run>(*this, running, SeedsAt(running), options_.seeds, count);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Shuffle& set, const Running& running, RefPtr<SeedGenerator> seeds_of_runs,
        const Seeds& seeds, int64_t count)
        : set_(set),
          running_(running),
          seeds_of_runs_(std::move(seeds_of_runs)),
          seeds_(seeds),
          left_(count) {
      words_.emplace(seeds_.Words());
    }

    absl::StatusOr<bool> Next(Element& element) override {
      while (!ended_ && held_ < static_cast<size_t>(set_.options_.buffer)) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_RETURN_IF_ERROR(Take());
      }
      while (!rounds_.empty() && rounds_.front().empty() && (ended_ || rounds_.size() > 1)) {
        rounds_.pop_front();
        if (set_.options_.reseeds && !rounds_.empty()) words_.emplace(NextSeeds().Words());
      }
      if (held_ == 0) return false;
      ElementBuffer& round = rounds_.front();
      --held_;
      SLUICE_RETURN_IF_ERROR(round.Take(words_->Next() % round.size(), element));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      size_t rounds = rounds_.size(), held = 0;
      SLUICE_RETURN_IF_ERROR(
          state.Fields("Shuffle", seeds_.first, seeds_.second, left_, rounds, held_, any_, ended_));
      for (size_t i = 0; i < rounds; ++i) {
        if (state.restoring()) rounds_.emplace_back(set_.spec());
        SLUICE_RETURN_IF_ERROR(rounds_[i].SaveOrRestore(state));
        held += rounds_[i].size();
      }
      if (held != held_)
        return InvalidArgument("the saved state has ", held, " of ", held_, " elements");
      if (state.restoring()) words_.emplace(seeds_.Words());
      SLUICE_RETURN_IF_ERROR(kernels::SaveOrRestore(state, *words_));
      SLUICE_RETURN_IF_ERROR(seeds_of_runs_->SaveOrRestore(state));
      SLUICE_RETURN_IF_ERROR(
          SaveOrRestoreInput(state, input_, [&] { return set_.input_->Begin(running_); }));
      if (input_ == nullptr || !rounds_.empty()) return absl::OkStatus();
      return InvalidArgument("the saved state has an input without its buffer");
    }

   private:
    const Seeds& NextSeeds() { return seeds_ = seeds_of_runs_->Next(); }

    // One more element into the buffer, or the end.
    absl::Status Take() {
      if (input_ == nullptr) {
        if (left_ == 0) {
          ended_ = true;
          return absl::OkStatus();
        }
        SLUICE_ASSIGN(input_, set_.input_->Begin(running_));
        rounds_.emplace_back(set_.spec());
        any_ = false;
      }
      SLUICE_ASSIGN(const bool more, input_->Next(taken_));
      if (more) {
        rounds_.back().Add(taken_);
        ++held_;
        any_ = true;
        return absl::OkStatus();
      }
      input_.reset();
      if (left_ > 0) --left_;
      if (left_ < 0 && !any_) left_ = 0;  // an empty input, repeated without end
      // TensorFlow 1.15 makes one more iterator of the input, which draws seeds at the places before.
      if (left_ != 0 || !set_.options_.begins_once_more) return absl::OkStatus();
      return set_.input_->Begin(running_).status();
    }

    const Shuffle& set_;
    const Running running_;
    const RefPtr<SeedGenerator> seeds_of_runs_;
    Seeds seeds_;
    std::optional<PhiloxWords> words_;  // of seeds_
    int64_t left_;
    std::unique_ptr<Stage> input_;
    std::deque<ElementBuffer> rounds_;  // the buffer, by repetition
    Element taken_;                     // from the input
    size_t held_ = 0;
    bool any_ = false, ended_ = false;
  };

  RefPtr<SeedGenerator> SeedsAt(const Running& running) const {
    if (seeds_of_runs_) return seeds_of_runs_;
    return running.state->kept.Of<SeedGenerator>(running.place, [&] {
      return MakeRefCounted<SeedGenerator>(options_.seeds, options_.reshuffle);
    });
  }

  const Input input_;
  const ShuffleOptions options_;
  const RefPtr<SeedGenerator> seeds_of_runs_;
};

struct ShuffleDataset {
  bool repeats, reshuffle;
  int generator;          // the input with the seeds of all runs; 0: none
  bool begins_once_more;  // its input, at the end, as 1.15 does

  static absl::StatusOr<ShuffleDataset> Create(const NodeSpec& node) {
    const absl::StatusOr<NodeSpec::Range> generator = node.InputRange("seed_generator");
    return ShuffleDataset{node.op == "ShuffleAndRepeatDataset",
                          GetAttrOr<bool>(node.attrs, "reshuffle_each_iteration", true),
                          generator.ok() ? generator->begin : 0, IsFrom1x(node)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    ShuffleOptions options;
    SLUICE_ASSIGN(options.buffer, ScalarInput<int64_t>(ctx, 1, "buffer_size"));
    if (generator == 4 && options.buffer == DataSet::kUnknown)
      options.buffer = std::numeric_limits<int64_t>::max();  // as many as there are
    if (options.buffer < 1) {
      return InvalidArgument("buffer_size must be greater than zero.");
    }
    RefPtr<SeedGenerator> seeds_of_runs;
    if (generator > 0 && !IsDummy(ctx, generator)) {
      SLUICE_ASSIGN(seeds_of_runs, ResourceOf<SeedGenerator>(ctx, generator));
      options.seeds = seeds_of_runs->seeds();
    } else if (generator == 2) {
      return InvalidArgument("a dummy is not the generator of the seeds of this data set");
    } else {
      SLUICE_ASSIGN(options.seeds, SeedInputs(ctx, 2));
    }
    options.begins_once_more = begins_once_more;
    // 1.15 goes on with the numbers of the repetition before.
    options.reseeds = repeats && !begins_once_more;
    options.reshuffle = reshuffle && (!repeats || options.reseeds);
    if (repeats) {
      SLUICE_ASSIGN(options.count, ScalarInput<int64_t>(ctx, 4, "count"));
      if (options.count < -1 || options.count == 0) {
        return InvalidArgument("count must be greater than zero or equal to -1.");
      }
    }
    SetDataSet(ctx, MakeRefCounted<Shuffle>(std::move(input), options, std::move(seeds_of_runs)));
    return absl::OkStatus();
  }
};

struct AnonymousSeedGenerator {
  std::string device;
  static absl::StatusOr<AnonymousSeedGenerator> Create(const NodeSpec& node) {
    return AnonymousSeedGenerator{node.device};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Seeds seeds, SeedInputs(ctx, 0));
    bool reshuffle = true;
    if (ctx.num_inputs() > 2) {
      SLUICE_ASSIGN(reshuffle, ScalarInput<bool>(ctx, 2, "reshuffle"));
    }
    SetOwned(ctx, device, "AnonymousSeedGenerator",
             MakeRefCounted<SeedGenerator>(seeds, reshuffle));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterShuffles(KernelRegistry& kernels) {
  for (auto op :
       {"ShuffleDataset", "ShuffleDatasetV2", "ShuffleDatasetV3", "ShuffleAndRepeatDataset"})
    kernels.Add<ShuffleDataset>(op, kCpu);
  for (auto op : {"AnonymousRandomSeedGenerator", "AnonymousSeedGenerator"})
    kernels.Add<AnonymousSeedGenerator>(op, kCpu, {}, kCheap);
  for (auto op : {"DeleteRandomSeedGenerator", "DeleteSeedGenerator"})
    kernels.Add<DeleteOwned<SeedGenerator>>(op, kCpu, {}, kCheap);
  kernels.Add<MakeDummy>("DummySeedGenerator", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
