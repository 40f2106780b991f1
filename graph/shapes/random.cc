// SPDX-License-Identifier: Apache-2.0
// Shapes of random numbers and sampled candidates.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status StatedShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(0));
  return absl::OkStatus();
}

absl::Status MultinomialShape(ShapeContext& c) {  // logits, num_samples
  SLUICE_ASSIGN(PartialShape logits, c.OfRank(0, 2));
  const auto samples = c.Int(1);
  if (samples && *samples < 0)
    return InvalidArgument("num_samples should be nonnegative, got ", *samples);
  return c.Set(0, {logits.dim(0), samples.value_or(-1)});
}

absl::Status RandomGammaShape(ShapeContext& c) {  // shape, alpha
  SLUICE_ASSIGN(PartialShape stated, c.StatedBy(0));
  SLUICE_ASSIGN(c.outputs[0], Concatenated(stated, c.inputs[1]));
  return absl::OkStatus();
}

template <int kInput>
absl::Status StatedByInput(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(kInput));
  return absl::OkStatus();
}

absl::Status KeyCounterShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.Set(0, {1}));
  return c.Set(1, {2});
}

absl::Status KeyCounterAlgShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(KeyCounterShape(c));
  return c.Set(2, {});
}

constexpr int64_t kUnknown = -1;

// The first size of a matrix or vector input.
absl::StatusOr<int64_t> Rows(const ShapeContext& c, int input, int rank) {
  SLUICE_ASSIGN(PartialShape shape, c.OfRank(input, rank));
  return shape.dim(0);
}

absl::Status SamplerShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t num_true, c.Get<int64_t>("num_true"));
  SLUICE_ASSIGN(const int64_t num_sampled, c.Get<int64_t>("num_sampled"));
  SLUICE_ASSIGN(const int64_t batch, Rows(c, 0, 2));
  SLUICE_RETURN_IF_ERROR(c.Set(0, {num_sampled}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {batch, num_true}));
  return c.Set(2, {num_sampled});
}

absl::Status AccidentalHitsShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t num_true, c.Get<int64_t>("num_true"));
  SLUICE_ASSIGN(const PartialShape classes, c.OfRank(0, 2));
  SLUICE_RETURN_IF_ERROR(MergedSize(classes.dim(1), num_true).status());
  for (int i : {0, 1, 2}) SLUICE_RETURN_IF_ERROR(c.Set(i, {kUnknown}));
  return absl::OkStatus();
}

absl::Status IndexShuffleShape(ShapeContext& c) {  // index, seed, max_index
  const PartialShape &index = c.inputs[0], &seed = c.inputs[1], &most = c.inputs[2];
  if (!index.rank_known() || !seed.rank_known() || !most.rank_known()) return absl::OkStatus();
  if (index.rank() == 0 && seed.rank() == 1 && most.rank() == 0) return c.Set(0, {});
  int64_t count = kUnknown;
  if (index.rank() == 1) {
    SLUICE_ASSIGN(count, MergedSize(count, index.dim(0)));
  }
  if (seed.rank() == 2) {
    SLUICE_ASSIGN(count, MergedSize(count, seed.dim(0)));
  }
  if (most.rank() == 1) {
    SLUICE_ASSIGN(count, MergedSize(count, most.dim(0)));
  }
  return c.Set(0, {count});
}

constexpr ShapeRule kRules[] = {
    {"AllCandidateSampler", SamplerShape},
    {"ComputeAccidentalHits", AccidentalHitsShape},
    {"FixedUnigramCandidateSampler", SamplerShape},
    {"LearnedUnigramCandidateSampler", SamplerShape},
    {"LogUniformCandidateSampler", SamplerShape},
    {"Multinomial", MultinomialShape},
    {"NonDeterministicInts", StatedShape},
    {"ParameterizedTruncatedNormal", StatedShape},
    {"RandomGamma", RandomGammaShape},
    {"RandomGammaGrad", Broadcast},
    {"RandomIndexShuffle", IndexShuffleShape},
    {"RandomPoisson", RandomGammaShape},
    {"RandomPoissonV2", RandomGammaShape},
    {"RandomShuffle", Unchanged},
    {"RandomStandardNormal", StatedShape},
    {"RandomUniform", StatedShape},
    {"RandomUniformInt", StatedShape},
    {"RngReadAndSkip", [](ShapeContext& c) { return c.Set(0, {3}); }},
    {"RngSkip", NoOutputs},
    {"StatefulRandomBinomial", StatedByInput<2>},
    {"StatefulStandardNormal", StatedByInput<1>},
    {"StatefulStandardNormalV2", StatedByInput<2>},
    {"StatefulTruncatedNormal", StatedByInput<2>},
    {"StatefulUniform", StatedByInput<2>},
    {"StatefulUniformFullInt", StatedByInput<2>},
    {"StatefulUniformInt", StatedByInput<2>},
    {"StatelessMultinomial", MultinomialShape},
    {"StatelessParameterizedTruncatedNormal", StatedShape},
    {"StatelessRandomBinomial", StatedShape},
    {"StatelessRandomGammaV2", StatedShape},
    {"StatelessRandomGammaV3", StatedShape},
    {"StatelessRandomGetAlg", AllScalars},
    {"StatelessRandomGetKeyCounter", KeyCounterShape},
    {"StatelessRandomGetKeyCounterAlg", KeyCounterAlgShape},
    {"StatelessRandomNormal", StatedShape},
    {"StatelessRandomNormalV2", StatedShape},
    {"StatelessRandomPoisson", StatedShape},
    {"StatelessRandomUniform", StatedShape},
    {"StatelessRandomUniformFullInt", StatedShape},
    {"StatelessRandomUniformFullIntV2", StatedShape},
    {"StatelessRandomUniformInt", StatedShape},
    {"StatelessRandomUniformIntV2", StatedShape},
    {"StatelessRandomUniformV2", StatedShape},
    {"StatelessShuffle", Unchanged},
    {"StatelessTruncatedNormal", StatedShape},
    {"StatelessTruncatedNormalV2", StatedShape},
    {"ThreadUnsafeUnigramCandidateSampler", SamplerShape},
    {"TruncatedNormal", StatedShape},
    {"UniformCandidateSampler", SamplerShape},
};

}  // namespace

absl::Span<const ShapeRule> RandomRules() { return kRules; }

}  // namespace sluice::graph
