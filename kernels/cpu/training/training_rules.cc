// SPDX-License-Identifier: Apache-2.0
// The update of one element by each optimizer. The sources of the formulas are beside the rules.
// Where an optimizer's paper and TensorFlow differ, TensorFlow's formula is used.
#include <cmath>
#include <utility>

#include "kernels/common/round_each.h"
#include "kernels/cpu/common/rounded.h"
#include "kernels/cpu/training/training.h"

namespace sluice::kernels {
namespace {

template <typename C>
C Sign(C x) {
  return C(x > C(0)) - C(x < C(0));
}
// sign(x) * max(|x| - by, 0)
template <typename C>
C Shrink(C x, C by) {
  const C left = std::abs(x) - by;
  return Sign(x) * (left > C(0) ? left : C(0));
}

// For optimizers that TensorFlow computes in float for half, rounding only the stored values.
template <typename C>
using InOneStep = std::conditional_t<kIsRoundedHalf<C>, float, C>;

// a / sqrt(x). TensorFlow multiplies by 1 / sqrt(x), which differs for narrow types.
template <typename C>
C OverRoot(C a, C x) {
  if constexpr (kIsRounded<C>)
    return a * (C(1) / std::sqrt(x));
  else
    return a / std::sqrt(x);
}
// The mean of `mean` and x with weights rho and 1 - rho. Dense and sparse ops round it in different
// ways.
template <typename C>
C Averaged(bool sparse, C mean, C x, C rho) {
  return sparse ? mean * rho + x * (C(1) - rho) : mean + (x - mean) * (C(1) - rho);
}

// A rule is made from the scalars once per span, then called with each element's gradient and
// variables.

template <typename C>
struct GradientDescent {
  static constexpr int kVariables = 1;
  C alpha;
  GradientDescent(const OptimizerOptions&, const C* s) : alpha(s[0]) {}
  void operator()(C g, C (&x)[1]) const { x[0] -= alpha * g; }
};

template <typename C>
struct Momentum {
  static constexpr int kVariables = 2;
  C lr, momentum;
  bool nesterov, sparse;
  Momentum(const OptimizerOptions& o, const C* s)
      : lr(s[0]), momentum(s[1]), nesterov(o.use_nesterov), sparse(o.sparse) {}
  void operator()(C g, C (&x)[2]) const {
    auto& [var, accum] = x;
    accum = accum * momentum + g;
    const C ahead = sparse ? accum * (momentum * lr) : accum * momentum * lr;
    var -= nesterov ? g * lr + ahead : accum * lr;
  }
};

// Keras includes the learning rate in the accumulator.
template <typename C>
struct KerasMomentum {
  static constexpr int kVariables = 2;
  C lr, momentum;
  bool nesterov;
  KerasMomentum(const OptimizerOptions& o, const C* s)
      : lr(s[0]), momentum(s[1]), nesterov(o.use_nesterov) {}
  void operator()(C g, C (&x)[2]) const {
    auto& [var, accum] = x;
    accum = accum * momentum - lr * g;
    var += nesterov ? accum * momentum - lr * g : accum;
  }
};

// Kingma and Ba, "Adam", 2015, in the form of the remark before its section 2.1: epsilon is outside
// the root.
template <typename C>
struct Adam {
  static constexpr int kVariables = 3;
  C rate, beta1, beta2, epsilon;
  bool nesterov;
  // beta1_power, beta2_power, lr, beta1, beta2, epsilon
  Adam(const OptimizerOptions& o, const C* s)
      : rate(s[2] * std::sqrt(C(1) - s[1]) / (C(1) - s[0])),
        beta1(s[3]),
        beta2(s[4]),
        epsilon(s[5]),
        nesterov(o.use_nesterov) {}
  void operator()(C g, C (&x)[3]) const {
    auto& [var, m, v] = x;
    m += (g - m) * (C(1) - beta1);
    v += (g * g - v) * (C(1) - beta2);
    const C step = nesterov ? g * (C(1) - beta1) + beta1 * m : m;
    var -= rate * step / (std::sqrt(v) + epsilon);
  }
};

// Reddi, Kale and Kumar, "On the convergence of Adam and beyond", 2018.
template <typename C>
struct AdamWithAmsgrad {
  static constexpr int kVariables = 4;
  C rate, beta1, beta2, epsilon;
  AdamWithAmsgrad(const OptimizerOptions&, const C* s)
      : rate(s[2] * std::sqrt(C(1) - s[1]) / (C(1) - s[0])),
        beta1(s[3]),
        beta2(s[4]),
        epsilon(s[5]) {}
  void operator()(C g, C (&x)[4]) const {
    auto& [var, m, v, vhat] = x;
    m += (g - m) * (C(1) - beta1);
    v += (g * g - v) * (C(1) - beta2);
    vhat = vhat < v ? v : vhat;
    var -= rate * m / (std::sqrt(vhat) + epsilon);
  }
};

// The same paper, section 7.1.
template <typename C>
struct AdaMax {
  static constexpr int kVariables = 3;
  C rate, beta1, beta2, epsilon;
  // beta1_power, lr, beta1, beta2, epsilon
  AdaMax(const OptimizerOptions&, const C* s)
      : rate(s[1] / (C(1) - s[0])), beta1(s[2]), beta2(s[3]), epsilon(s[4]) {}
  void operator()(C g, C (&x)[3]) const {
    auto& [var, m, v] = x;
    m = Averaged(kIsRoundedBfloat16<C>, m, g, beta1);
    const C decayed = beta2 * v, size = std::abs(g);
    v = decayed < size ? size : decayed;
    var -= rate * (m / (v + epsilon));
  }
};

// Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011.
template <typename C>
struct Adagrad {
  static constexpr int kVariables = 2;
  C lr;
  bool update_slots;
  Adagrad(const OptimizerOptions& o, const C* s) : lr(s[0]), update_slots(o.update_slots) {}
  void operator()(C g, C (&x)[2]) const {
    auto& [var, accum] = x;
    if (update_slots) accum += g * g;
    var -= OverRoot(g * lr, accum);
  }
};

template <typename C>
struct AdagradV2 {
  static constexpr int kVariables = 2;
  C lr, epsilon;
  bool update_slots;
  AdagradV2(const OptimizerOptions& o, const C* s)
      : lr(s[0]), epsilon(s[1]), update_slots(o.update_slots) {}
  void operator()(C g, C (&x)[2]) const {
    auto& [var, accum] = x;
    if (update_slots) accum += g * g;
    var -= lr * g / (std::sqrt(accum) + epsilon);
  }
};

// The primal-dual subgradient method of the same paper.
template <typename C>
struct AdagradDa {
  static constexpr int kVariables = 3;
  using W = InOneStep<C>;
  C lr, threshold, damping;
  bool shrinks;
  // lr, l1, l2, global_step
  AdagradDa(const OptimizerOptions&, const C* s)
      : lr(s[0]),
        threshold(s[1] * s[3]),
        damping(W(s[2]) * (W(s[3]) * W(s[0]))),
        shrinks(s[1] > C(0)) {}
  void operator()(C g, C (&x)[3]) const {
    auto& [var, sum, squares] = x;
    sum += g;
    squares = W(squares) + W(g) * W(g);
    const W pull = shrinks ? Shrink(W(sum), W(threshold)) : W(sum);
    var = -W(lr) * pull / (W(damping) + std::sqrt(W(squares)));
  }
};

// Zeiler, "ADADELTA", 2012.
template <typename C>
struct Adadelta {
  static constexpr int kVariables = 3;
  C lr, rho, epsilon;
  Adadelta(const OptimizerOptions&, const C* s) : lr(s[0]), rho(s[1]), epsilon(s[2]) {}
  void operator()(C g, C (&x)[3]) const {
    auto& [var, accum, accum_update] = x;
    accum = accum * rho + g * g * (C(1) - rho);
    const C update = OverRoot(C(std::sqrt(accum_update + epsilon)), accum + epsilon) * g;
    accum_update = accum_update * rho + update * update * (C(1) - rho);
    var -= lr * update;
  }
};

// lr * g / sqrt(x)
template <typename C>
C RmsStep(bool sparse, C lr, C g, C x) {
  return kIsRounded<C> && sparse ? OverRoot(C(1), x) * lr * g : g * lr / std::sqrt(x);
}

// Tieleman and Hinton, lecture 6.5 of "Neural networks for machine learning", 2012; epsilon is
// inside the root.
template <typename C>
struct RmsProp {
  static constexpr int kVariables = 3;
  C lr, rho, momentum, epsilon;
  bool sparse;
  RmsProp(const OptimizerOptions& o, const C* s)
      : lr(s[0]), rho(s[1]), momentum(s[2]), epsilon(s[3]), sparse(o.sparse) {}
  void operator()(C g, C (&x)[3]) const {
    auto& [var, ms, mom] = x;
    ms = Averaged(sparse, ms, C(g * g), rho);
    mom = mom * momentum + RmsStep(sparse, lr, g, C(ms + epsilon));
    var -= mom;
  }
};

// Graves, "Generating sequences with recurrent neural networks", 2013, equations 38 to 45.
template <typename C>
struct CenteredRmsProp {
  static constexpr int kVariables = 4;
  C lr, rho, momentum, epsilon;
  bool sparse;
  CenteredRmsProp(const OptimizerOptions& o, const C* s)
      : lr(s[0]), rho(s[1]), momentum(s[2]), epsilon(s[3]), sparse(o.sparse) {}
  void operator()(C g, C (&x)[4]) const {
    auto& [var, mg, ms, mom] = x;
    ms = Averaged(sparse, ms, C(g * g), rho);
    mg = Averaged(sparse, mg, g, rho);
    const C variance = sparse ? ms + epsilon - mg * mg : ms - mg * mg + epsilon;
    mom = mom * momentum + RmsStep(sparse, lr, g, variance);
    var -= mom;
  }
};

// McMahan et al., "Ad click prediction: a view from the trenches", 2013. Here l2 is doubled, and
// the shrinkage affects the gradient but not its square.
template <typename C>
struct Ftrl {
  static constexpr int kVariables = 3;
  C lr, l1, l2, shrinkage, lr_power;
  bool by_root;
  // With multiply_linear_by_lr, `linear` holds lr times as much, and lr multiplies instead of
  // dividing.
  bool scaled;
  bool sparse;  // then a NaN stays NaN, where dense variables become zero
  Ftrl(const OptimizerOptions& o, C lr, C l1, C l2, C shrinkage, C lr_power)
      : lr(lr),
        l1(l1),
        l2(l2),
        shrinkage(shrinkage),
        lr_power(lr_power),
        by_root(lr_power == C(-0.5)),
        scaled(o.multiply_linear_by_lr),
        sparse(o.sparse) {}
  Ftrl(const OptimizerOptions& o, const C* s) : Ftrl(o, s[0], s[1], s[2], C(0), s[3]) {}
  C Power(C x) const { return by_root ? std::sqrt(x) : std::pow(x, -lr_power); }
  void operator()(C g, C (&x)[3]) const {
    auto& [var, accum, linear] = x;
    const C pulled = g + C(2) * shrinkage * var;
    const C after = accum + g * g;
    const C power = Power(after);
    const C change = power - Power(accum);
    C quadratic, bound;
    if (scaled) {
      linear += pulled * lr - change * var;
      quadratic = power + C(2) * l2 * lr;
      bound = l1 * lr;
    } else {
      linear += pulled - change / lr * var;
      quadratic = power / lr + C(2) * l2;
      bound = l1;
    }
    const C size = std::abs(linear);
    const bool lost = sparse && std::isnan(size);
    var = size > bound || lost ? (bound * Sign(linear) - linear) / quadratic : C(0);
    accum = after;
  }
};

template <typename C>
struct FtrlV2 : Ftrl<C> {
  FtrlV2(const OptimizerOptions& o, const C* s) : Ftrl<C>(o, s[0], s[1], s[2], s[3], s[4]) {}
};

// Duchi and Singer, "Efficient online and batch learning using forward backward splitting", 2009.
template <typename C>
struct ProximalGradientDescent {
  static constexpr int kVariables = 1;
  using W = InOneStep<C>;
  C alpha, threshold, scale;
  bool shrinks;
  // alpha, l1, l2
  ProximalGradientDescent(const OptimizerOptions&, const C* s)
      : alpha(s[0]),
        threshold(s[0] * s[1]),
        scale(C(1) / (C(1) + s[0] * s[2])),
        shrinks(s[1] > C(0)) {}
  void operator()(C g, C (&x)[1]) const {
    const W moved = W(x[0]) - W(alpha) * W(g);
    x[0] = (shrinks ? Shrink(moved, W(threshold)) : moved) * W(scale);
  }
};

template <typename C>
struct ProximalAdagrad {
  static constexpr int kVariables = 2;
  using W = InOneStep<C>;
  W lr, l1, l2;
  ProximalAdagrad(const OptimizerOptions&, const C* s) : lr(s[0]), l1(s[1]), l2(s[2]) {}
  void operator()(C g, C (&x)[2]) const {
    auto& [var, accum] = x;
    accum = W(accum) + W(g) * W(g);
    const W rate = kIsRoundedBfloat16<C> ? lr * W(1 / std::sqrt(static_cast<float>(accum)))
                                         : lr / std::sqrt(W(accum));
    const W moved = W(var) - rate * W(g);
    var = (l1 > W(0) ? Shrink(moved, rate * l1) : moved) / (W(1) + rate * l2);
  }
};

// Bello et al., "Neural optimizer search with reinforcement learning", 2017: both signs.
template <typename C>
struct AddSign {
  static constexpr int kVariables = 2;
  C lr, alpha, sign_decay, beta;
  AddSign(const OptimizerOptions&, const C* s)
      : lr(s[0]), alpha(s[1]), sign_decay(s[2]), beta(s[3]) {}
  void operator()(C g, C (&x)[2]) const {
    auto& [var, m] = x;
    m = m * beta + g * (C(1) - beta);
    var -= lr * (alpha + sign_decay * (Sign(g) * Sign(m))) * g;
  }
};

template <typename C>
struct PowerSign {
  static constexpr int kVariables = 2;
  C lr, agree, disagree, beta;
  // lr, logbase, sign_decay, beta
  PowerSign(const OptimizerOptions&, const C* s)
      : lr(s[0]), agree(std::exp(s[1] * s[2])), disagree(std::exp(-s[1] * s[2])), beta(s[3]) {}
  void operator()(C g, C (&x)[2]) const {
    auto& [var, m] = x;
    m = m * beta + g * (C(1) - beta);
    const C signs = Sign(g) * Sign(m);
    var -= lr * (signs > C(0) ? agree : signs < C(0) ? disagree : C(1)) * g;
  }
};

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

absl::Status NotIn(absl::string_view name, absl::string_view domain, double value) {
  return InvalidArgument(name, " is not a ", domain, " scalar: ", value);
}

// Learning rates must be positive, regularisation must not be negative.
absl::Status CheckRegularised(const OptimizerOptions&, const double* s) {
  if (!(s[0] > 0)) return NotIn("lr", "positive", s[0]);
  if (!(s[1] >= 0)) return NotIn("l1 regularization strength", "non-negative", s[1]);
  if (!(s[2] >= 0)) return NotIn("l2 regularization strength", "non-negative", s[2]);
  return absl::OkStatus();
}
absl::Status CheckFtrlRates(const OptimizerOptions& o, const double* s, double lr_power) {
  const bool zero_allowed = o.multiply_linear_by_lr && s[0] == 0;
  const double checked[] = {zero_allowed ? 1.0 : s[0], s[1], s[2]};
  SLUICE_RETURN_IF_ERROR(CheckRegularised(o, checked));
  return lr_power <= 0 ? absl::OkStatus() : NotIn("lr_power", "non-positive", lr_power);
}
absl::Status CheckFtrl(const OptimizerOptions& o, const double* s) {
  return CheckFtrlRates(o, s, s[3]);
}
absl::Status CheckFtrlV2(const OptimizerOptions& o, const double* s) {
  if (!(s[3] >= 0)) return NotIn("l2 shrinkage regularization strength", "non-negative", s[3]);
  return CheckFtrlRates(o, s, s[4]);
}

template <template <typename> class Rule>
Optimizer With(Optimizer optimizer) {
  optimizer.for_float = &Apply<Rule, float>;
  optimizer.for_double = &Apply<Rule, double>;
  optimizer.for_half = &Apply<Rule, Half>;
  optimizer.for_bfloat16 = &Apply<Rule, Bfloat16>;
  return optimizer;
}

std::vector<Optimizer> MakeOptimizers() {
  return {
      With<GradientDescent>({.name = "GradientDescent",
                             .variables = {"var"},
                             .scalars = {"alpha"},
                             .gradient = "delta",
                             .has_sparse = false}),
      With<Momentum>(
          {.name = "Momentum", .variables = {"var", "accum"}, .scalars = {"lr", "momentum"}}),
      With<KerasMomentum>({.name = "KerasMomentum",
                           .variables = {"var", "accum"},
                           .scalars = {"lr", "momentum"},
                           .has_reference = false}),
      With<Adam>({.name = "Adam",
                  .variables = {"var", "m", "v"},
                  .scalars = {"beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"},
                  .has_sparse = false}),
      With<AdamWithAmsgrad>(
          {.name = "AdamWithAmsgrad",
           .variables = {"var", "m", "v", "vhat"},
           .scalars = {"beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"},
           .has_sparse = false,
           .has_reference = false}),
      With<AdaMax>({.name = "AdaMax",
                    .variables = {"var", "m", "v"},
                    .scalars = {"beta1_power", "lr", "beta1", "beta2", "epsilon"},
                    .has_sparse = false}),
      With<Adagrad>({.name = "Adagrad", .variables = {"var", "accum"}, .scalars = {"lr"}}),
      With<AdagradV2>(
          {.name = "AdagradV2", .variables = {"var", "accum"}, .scalars = {"lr", "epsilon"}}),
      With<AdagradDa>({.name = "AdagradDA",
                       .variables = {"var", "gradient_accumulator", "gradient_squared_accumulator"},
                       .scalars = {"lr", "l1", "l2", "global_step"}}),
      With<Adadelta>({.name = "Adadelta",
                      .variables = {"var", "accum", "accum_update"},
                      .scalars = {"lr", "rho", "epsilon"}}),
      With<RmsProp>({.name = "RMSProp",
                     .variables = {"var", "ms", "mom"},
                     .scalars = {"lr", "rho", "momentum", "epsilon"}}),
      With<CenteredRmsProp>({.name = "CenteredRMSProp",
                             .variables = {"var", "mg", "ms", "mom"},
                             .scalars = {"lr", "rho", "momentum", "epsilon"}}),
      With<Ftrl>({.name = "Ftrl",
                  .variables = {"var", "accum", "linear"},
                  .scalars = {"lr", "l1", "l2", "lr_power"},
                  .check = &CheckFtrl}),
      With<FtrlV2>({.name = "FtrlV2",
                    .variables = {"var", "accum", "linear"},
                    .scalars = {"lr", "l1", "l2", "l2_shrinkage", "lr_power"},
                    .check = &CheckFtrlV2}),
      With<ProximalGradientDescent>({.name = "ProximalGradientDescent",
                                     .variables = {"var"},
                                     .scalars = {"alpha", "l1", "l2"},
                                     .gradient = "delta"}),
      With<ProximalAdagrad>({.name = "ProximalAdagrad",
                             .variables = {"var", "accum"},
                             .scalars = {"lr", "l1", "l2"},
                             .check = &CheckRegularised}),
      With<AddSign>({.name = "AddSign",
                     .variables = {"var", "m"},
                     .scalars = {"lr", "alpha", "sign_decay", "beta"},
                     .has_sparse = false}),
      With<PowerSign>({.name = "PowerSign",
                       .variables = {"var", "m"},
                       .scalars = {"lr", "logbase", "sign_decay", "beta"},
                       .has_sparse = false}),
  };
}

}  // namespace

Optimizer::Span Optimizer::For(DType dtype) const {
  switch (dtype) {
    case kFloat:
      return for_float;
    case kDouble:
      return for_double;
    case kHalf:
      return for_half;
    case kBfloat16:
      return for_bfloat16;
    default:
      return nullptr;
  }
}

const std::vector<Optimizer>& Optimizers() {
  static const auto& optimizers = *new std::vector<Optimizer>(MakeOptimizers());
  return optimizers;
}

const Optimizer* FindOptimizer(absl::string_view op) {
  for (absl::string_view prefix : {"Resource", "Sparse", "Apply"}) {
    if (op.substr(0, prefix.size()) == prefix) op.remove_prefix(prefix.size());
  }
  for (const Optimizer& optimizer : Optimizers()) {
    if (optimizer.name == op) return &optimizer;
  }
  return nullptr;
}

}  // namespace sluice::kernels
