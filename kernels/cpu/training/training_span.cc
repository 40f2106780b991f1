// SPDX-License-Identifier: Apache-2.0
// The loops of the optimizers' rules over host memory.
#include "kernels/cpu/training/training_span.h"

#include <utility>

#include "kernels/common/training/training_rules.h"
#include "kernels/cpu/common/rounded.h"

namespace sluice::kernels {
namespace {

template <typename Rule, typename T, size_t... I>
void Loop(const Rule& rule, int64_t n, const T* g, T* const* x, std::index_sequence<I...>) {
  using C = StepType<T>;
  const auto loop = [&](auto*... at) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      C v[sizeof...(I)] = {static_cast<C>(at[i])...};
      rule(static_cast<C>(g[i]), v);
      ((at[i] = T(v[I])), ...);
    }
  };
  loop(x[I]...);
}

template <template <typename> class Rule, typename T>
void Apply(const OptimizerOptions& options, const double* scalars, int64_t n,
           void* const* variables, const void* gradient) {
  using C = StepType<T>;
  C s[kMaxTrainingScalars];
  for (int i = 0; i < kMaxTrainingScalars; ++i) s[i] = static_cast<C>(scalars[i]);
  constexpr int count = Rule<C>::kVariables;
  T* x[count];
  for (int i = 0; i < count; ++i) x[i] = static_cast<T*>(variables[i]);
  Loop(Rule<C>(options, s), n, static_cast<const T*>(gradient), x,
       std::make_index_sequence<count>());
}

template <template <typename> class Rule>
TrainingSpan SpanOf(DType dtype) {
  switch (dtype) {
    case kFloat:
      return &Apply<Rule, float>;
    case kDouble:
      return &Apply<Rule, double>;
    case kHalf:
      return &Apply<Rule, Half>;
    case kBfloat16:
      return &Apply<Rule, Bfloat16>;
    default:
      return nullptr;
  }
}

}  // namespace

TrainingSpan TrainingSpanOf(OptimizerRule rule, DType dtype) {
  switch (rule) {
    case OptimizerRule::kGradientDescent:
      return SpanOf<training::GradientDescent>(dtype);
    case OptimizerRule::kMomentum:
      return SpanOf<training::Momentum>(dtype);
    case OptimizerRule::kKerasMomentum:
      return SpanOf<training::KerasMomentum>(dtype);
    case OptimizerRule::kAdam:
      return SpanOf<training::Adam>(dtype);
    case OptimizerRule::kAdamWithAmsgrad:
      return SpanOf<training::AdamWithAmsgrad>(dtype);
    case OptimizerRule::kAdaMax:
      return SpanOf<training::AdaMax>(dtype);
    case OptimizerRule::kAdagrad:
      return SpanOf<training::Adagrad>(dtype);
    case OptimizerRule::kAdagradV2:
      return SpanOf<training::AdagradV2>(dtype);
    case OptimizerRule::kAdagradDa:
      return SpanOf<training::AdagradDa>(dtype);
    case OptimizerRule::kAdadelta:
      return SpanOf<training::Adadelta>(dtype);
    case OptimizerRule::kRmsProp:
      return SpanOf<training::RmsProp>(dtype);
    case OptimizerRule::kCenteredRmsProp:
      return SpanOf<training::CenteredRmsProp>(dtype);
    case OptimizerRule::kFtrl:
      return SpanOf<training::Ftrl>(dtype);
    case OptimizerRule::kFtrlV2:
      return SpanOf<training::FtrlV2>(dtype);
    case OptimizerRule::kProximalGradientDescent:
      return SpanOf<training::ProximalGradientDescent>(dtype);
    case OptimizerRule::kProximalAdagrad:
      return SpanOf<training::ProximalAdagrad>(dtype);
    case OptimizerRule::kAddSign:
      return SpanOf<training::AddSign>(dtype);
    case OptimizerRule::kPowerSign:
      return SpanOf<training::PowerSign>(dtype);
  }
  return nullptr;
}

}  // namespace sluice::kernels
