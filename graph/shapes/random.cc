// Shapes of random numbers.
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

constexpr ShapeRule kRules[] = {
    {"NonDeterministicInts", StatedShape},
    {"RandomPoisson", RandomGammaShape},
    {"RngReadAndSkip", [](ShapeContext& c) { return c.Set(0, {3}); }},
    {"RngSkip", NoOutputs},
    {"StatefulRandomBinomial", StatedByInput<2>},
    {"StatefulStandardNormal", StatedByInput<1>},
    {"StatefulStandardNormalV2", StatedByInput<2>},
    {"StatefulTruncatedNormal", StatedByInput<2>},
    {"StatefulUniform", StatedByInput<2>},
    {"StatefulUniformFullInt", StatedByInput<2>},
    {"StatefulUniformInt", StatedByInput<2>},
    {"StatelessRandomGetKeyCounter", KeyCounterShape},
    {"StatelessRandomUniformFullIntV2", StatedShape},
    {"StatelessRandomUniformIntV2", StatedShape},
    {"Multinomial", MultinomialShape},
    {"ParameterizedTruncatedNormal", StatedShape},
    {"RandomGamma", RandomGammaShape},
    {"RandomPoissonV2", RandomGammaShape},
    {"RandomShuffle", Unchanged},
    {"RandomStandardNormal", StatedShape},
    {"RandomUniform", StatedShape},
    {"RandomUniformInt", StatedShape},
    {"StatelessMultinomial", MultinomialShape},
    {"StatelessRandomNormal", StatedShape},
    {"StatelessRandomNormalV2", StatedShape},
    {"StatelessRandomUniform", StatedShape},
    {"StatelessRandomUniformInt", StatedShape},
    {"StatelessRandomUniformV2", StatedShape},
    {"StatelessTruncatedNormal", StatedShape},
    {"StatelessTruncatedNormalV2", StatedShape},
    {"TruncatedNormal", StatedShape},
};

}  // namespace

absl::Span<const ShapeRule> RandomRules() { return kRules; }

}  // namespace sluice::graph
