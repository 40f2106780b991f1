// SPDX-License-Identifier: Apache-2.0
// Candidate samplers: ids drawn for sampled losses, and their expected counts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "core/io/file.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "core/threads/thread_pool.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/random/id_sampler.h"
#include "kernels/cpu/random/register.h"

namespace sluice::kernels {
namespace {

// Blocks that TensorFlow reserves for each drawn id, including rejections.
constexpr uint64_t kBlocksPerId = 512;

using MakeSampler = absl::StatusOr<std::unique_ptr<IdSampler>> (*)(const NodeSpec& node);

// The expected count of an id of probability p. It is exact for single draws, and an approximation
// for draws without repetition that took `tries` attempts.
float ExpectedCount(float p, int64_t drawn, int64_t tries) {
  if (tries == drawn) return p * static_cast<float>(drawn);
  return -std::expm1(static_cast<float>(tries) * std::log1p(-p));
}

absl::Status CheckTrueClasses(const Tensor& classes, int64_t num_true) {
  if (classes.rank() != 2) return InvalidArgument("true_classes must be a matrix");
  if (classes.dim(1) != num_true) {
    return InvalidArgument("true_classes must have num_true columns, expected: ", classes.dim(1),
                           " was: ", num_true);  // as TensorFlow names them
  }
  return absl::OkStatus();
}

struct CandidateSampler {
  int64_t num_true, num_sampled;
  bool unique;
  NodeStream stream;
  std::unique_ptr<IdSampler> ids;

  explicit CandidateSampler(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<CandidateSampler>> Make(const NodeSpec& node,
                                                                MakeSampler make) {
    auto sampler = std::make_unique<CandidateSampler>(node);
    SLUICE_ASSIGN(sampler->num_true, node.Get<int64_t>("num_true"));
    SLUICE_ASSIGN(sampler->num_sampled, node.Get<int64_t>("num_sampled"));
    SLUICE_ASSIGN(sampler->unique, node.Get<bool>("unique"));
    SLUICE_ASSIGN(sampler->ids, make(node));
    return sampler;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& classes = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(CheckTrueClasses(classes, num_true));
    if (unique && num_sampled > ids->range())
      return InvalidArgument("Sampler's range is too small.");
    if (unique && num_sampled > ids->distinct()) {
      return InvalidArgument("cannot draw ", num_sampled, " different ids: only ", ids->distinct(),
                             " have a weight");
    }
    const absl::Span<const int64_t> seen = classes.flat<int64_t>();
    if (ids->mutex() != nullptr) {
      for (const int64_t i : Cancellable(classes.num_elements())) {
        const int64_t id = seen[i];
        if (id >= 0 && id < ids->range()) continue;
        return InvalidArgument("`true_candidate` out of range [0, ", ids->range(), "), received ",
                               id);
      }
    }
    SLUICE_ASSIGN(Tensor * drawn, ctx.AllocateOutput(0, Shape{num_sampled}));
    SLUICE_ASSIGN(Tensor * true_counts, ctx.AllocateOutput(1, classes.shape()));
    SLUICE_ASSIGN(Tensor * drawn_counts, ctx.AllocateOutput(2, Shape{num_sampled}));
    PhiloxWords words(stream.Take(static_cast<uint64_t>(num_sampled) * kBlocksPerId), 0);

    absl::MutexLockMaybe lock(ids->mutex());
    const int64_t tries = Draw(words, drawn->mutable_flat<int64_t>());
    const auto expect = [&](absl::Span<const int64_t> of, float* counts) {
      for (const int64_t i : Cancellable(static_cast<int64_t>(of.size())))
        counts[i] = ExpectedCount(ids->Probability(of[i]), num_sampled, tries);
    };
    expect(drawn->flat<int64_t>(), drawn_counts->mutable_data<float>());
    expect(seen, true_counts->mutable_data<float>());
    ids->Learn(seen);
    return absl::OkStatus();
  }

 private:
  // Returns the number of attempts.
  int64_t Draw(PhiloxWords& words, absl::Span<int64_t> out) const {
    int64_t tries = 0;
    absl::flat_hash_set<int64_t> used;
    CancelPoints points(1 << 14);
    for (int64_t& id : out) {
      do {
        id = ids->Draw(words);
        ++tries;
        points.Pass();
      } while (unique && !used.insert(id).second);
    }
    return tries;
  }
};

struct AllCandidateSampler {
  int64_t num_true, num_sampled;

  static absl::StatusOr<AllCandidateSampler> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t num_true, node.Get<int64_t>("num_true"));
    SLUICE_ASSIGN(const int64_t num_sampled, node.Get<int64_t>("num_sampled"));
    return AllCandidateSampler{num_true, num_sampled};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckTrueClasses(ctx.input(0), num_true));
    SLUICE_ASSIGN(Tensor * all, ctx.AllocateOutput(0, Shape{num_sampled}));
    ParallelFor(ctx.pool(), num_sampled, 0.5, [&](int64_t begin, int64_t end) {
      int64_t* const to = all->mutable_data<int64_t>();
      std::iota(to + begin, to + end, begin);
    });
    for (int i : {1, 2}) {
      SLUICE_ASSIGN(Tensor * counts,
                    ctx.AllocateOutput(i, i == 1 ? ctx.input(0).shape() : Shape{num_sampled}));
      ParallelFor(ctx.pool(), counts->num_elements(), 0.25, [&](int64_t begin, int64_t end) {
        std::fill_n(counts->mutable_data<float>() + begin, end - begin, 1.0f);
      });
    }
    return absl::OkStatus();
  }
};

absl::StatusOr<std::unique_ptr<IdSampler>> MakeUniform(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t range, node.Get<int64_t>("range_max"));
  return UniformIds(range);
}
absl::StatusOr<std::unique_ptr<IdSampler>> MakeLogUniform(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t range, node.Get<int64_t>("range_max"));
  return LogUniformIds(range);
}
absl::StatusOr<std::unique_ptr<IdSampler>> MakeLearned(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t range, node.Get<int64_t>("range_max"));
  return LearnedIds(range);
}

// The last field of each line of a file of comma-separated values.
absl::StatusOr<std::vector<float>> ReadWeights(const std::string& path) {
  SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(path));
  BufferedInput input(std::move(file));
  std::vector<float> weights;
  std::string line;
  while (true) {
    SLUICE_ASSIGN(const bool more, input.ReadLine(&line));
    if (!more) return weights;
    float weight;
    if (!absl::SimpleAtof(absl::string_view(line).substr(line.rfind(',') + 1), &weight))
      return InvalidArgument("Wrong vocabulary format at line: ", line);
    weights.push_back(weight);
  }
}

absl::StatusOr<std::unique_ptr<IdSampler>> MakeFixed(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t range, node.Get<int64_t>("range_max"));
  SLUICE_ASSIGN(const std::string file, node.Get<std::string>("vocab_file"));
  SLUICE_ASSIGN(std::vector<float> unigrams, node.Get<std::vector<float>>("unigrams"));
  SLUICE_ASSIGN(const float distortion, node.Get<float>("distortion"));
  SLUICE_ASSIGN(const int64_t reserved, node.Get<int64_t>("num_reserved_ids"));
  SLUICE_ASSIGN(const int64_t num_shards, node.Get<int64_t>("num_shards"));
  SLUICE_ASSIGN(const int64_t shard, node.Get<int64_t>("shard"));
  if (file.empty() && unigrams.empty())
    return InvalidArgument("Must provide either vocab_file or unigrams.");
  if (!file.empty() && !unigrams.empty())
    return InvalidArgument("Must only provide one of vocab_file and unigrams.");
  if (reserved < 0 || reserved > range)
    return InvalidArgument("num_reserved_ids must be in [0, range_max], got ", reserved);
  if (shard >= num_shards)
    return InvalidArgument("shard ", shard, " is not in [0, ", num_shards, ")");
  if (unigrams.empty()) {
    SLUICE_ASSIGN(unigrams, ReadWeights(file));
  }
  // TensorFlow counts the words of the list after this shard's reserved ids.
  std::vector<float> weights;
  for (int64_t id = 0; id < reserved; ++id) {
    if (id % num_shards == shard) weights.push_back(0);
  }
  auto word = static_cast<int64_t>(weights.size());
  for (float weight : unigrams) {
    if (word++ % num_shards == shard) weights.push_back(std::pow(weight, distortion));
  }
  if (range != static_cast<int64_t>(weights.size())) {
    return InvalidArgument("range is ", range, " must be equal to weights size  ", weights.size());
  }
  return WeightedIds(std::move(weights));
}

struct ComputeAccidentalHits {
  int64_t num_true;

  static absl::StatusOr<ComputeAccidentalHits> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t num_true, node.Get<int64_t>("num_true"));
    return ComputeAccidentalHits{num_true};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &classes = ctx.input(0), &sampled = ctx.input(1);
    if (classes.rank() != 2 || classes.dim(1) != num_true)
      return InvalidArgument("true_candidates must be a batch_size * num_true matrix");
    if (sampled.rank() != 1)
      return InvalidArgument("sampled_candidates must be a vector, which is typically an output ",
                             "from CandidateSampler");
    absl::flat_hash_map<int64_t, int64_t> places;  // for a repeated id, the last position
    for (const int64_t i : Cancellable(sampled.dim(0))) places[sampled.data<int64_t>()[i]] = i;
    std::vector<int32_t> rows;
    std::vector<int64_t> ids;
    for (const int64_t i : Cancellable(classes.num_elements())) {
      const auto hit = places.find(classes.data<int64_t>()[i]);
      if (hit == places.end()) continue;
      rows.push_back(static_cast<int32_t>(i / num_true));
      ids.push_back(hit->second);
    }
    const std::vector<float> weights(rows.size(), -std::numeric_limits<float>::max());
    ctx.SetOutput(0, Tensor::Vector<int32_t>(rows));
    ctx.SetOutput(1, Tensor::Vector<int64_t>(ids));
    ctx.SetOutput(2, Tensor::Vector<float>(weights));
    return absl::OkStatus();
  }
};

void AddSampler(KernelRegistry& kernels, const char* op, MakeSampler make) {
  kernels.AddWith(
      [make](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
        SLUICE_ASSIGN(auto sampler, CandidateSampler::Make(node, make));
        using Held = std::unique_ptr<CandidateSampler>;
        return std::make_unique<internal::KernelOf<Held, CandidateSampler>>(std::move(sampler));
      },
      op, kCpu);
}

}  // namespace

void RegisterCandidateSamplers(KernelRegistry& kernels) {
  AddSampler(kernels, "UniformCandidateSampler", &MakeUniform);
  AddSampler(kernels, "LogUniformCandidateSampler", &MakeLogUniform);
  AddSampler(kernels, "LearnedUnigramCandidateSampler", &MakeLearned);
  AddSampler(kernels, "ThreadUnsafeUnigramCandidateSampler", &MakeLearned);
  AddSampler(kernels, "FixedUnigramCandidateSampler", &MakeFixed);
  kernels.Add<AllCandidateSampler>("AllCandidateSampler", kCpu);
  kernels.Add<ComputeAccidentalHits>("ComputeAccidentalHits", kCpu);
}

}  // namespace sluice::kernels
