// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TRAINING_TRAINING_RULES_H_
#define SLUICE_KERNELS_COMMON_TRAINING_TRAINING_RULES_H_

#include <cmath>
#include <type_traits>

#include "kernels/common/round_each.h"
#include "kernels/common/rounded.h"
#include "kernels/common/training/optimizer_rule.h"

// The update of one element by each optimizer, on every device. The sources of the formulas are
// beside the rules. Where an optimizer's paper and TensorFlow differ, TensorFlow's formula is used.
//
// The functions are constexpr, which nvcc compiles for the GPU too. C is float, double or Rounded.

namespace sluice::kernels {

namespace training {

template <typename C>
constexpr C Sign(C x) {
  return C(x > C(0)) - C(x < C(0));
}
// sign(x) * max(|x| - by, 0)
template <typename C>
constexpr C Shrink(C x, C by) {
  const C left = std::abs(x) - by;
  return Sign(x) * (left > C(0) ? left : C(0));
}

// For optimizers that TensorFlow computes in float for half, rounding only the stored values.
template <typename C>
using InOneStep = std::conditional_t<kIsRoundedHalf<C>, float, C>;

// a / sqrt(x). TensorFlow multiplies by 1 / sqrt(x), which differs for narrow types.
template <typename C>
constexpr C OverRoot(C a, C x) {
  if constexpr (kIsRounded<C>)
    return a * (C(1) / std::sqrt(x));
  else
    return a / std::sqrt(x);
}
// The mean of `mean` and x with weights rho and 1 - rho. Dense and sparse ops round it in different
// ways.
template <typename C>
constexpr C Averaged(bool sparse, C mean, C x, C rho) {
  return sparse ? mean * rho + x * (C(1) - rho) : mean + (x - mean) * (C(1) - rho);
}

// A rule is made from the scalars once per span, then called with each element's gradient and
// variables.

template <typename C>
struct GradientDescent {
  static constexpr int kVariables = 1;
  C alpha;
  constexpr GradientDescent(const OptimizerOptions&, const C* s) : alpha(s[0]) {}
  constexpr void operator()(C g, C (&x)[1]) const { x[0] -= alpha * g; }
};

template <typename C>
struct Momentum {
  static constexpr int kVariables = 2;
  C lr, momentum;
  bool nesterov, sparse;
  constexpr Momentum(const OptimizerOptions& o, const C* s)
      : lr(s[0]), momentum(s[1]), nesterov(o.use_nesterov), sparse(o.sparse) {}
  constexpr void operator()(C g, C (&x)[2]) const {
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
  constexpr KerasMomentum(const OptimizerOptions& o, const C* s)
      : lr(s[0]), momentum(s[1]), nesterov(o.use_nesterov) {}
  constexpr void operator()(C g, C (&x)[2]) const {
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
  constexpr Adam(const OptimizerOptions& o, const C* s)
      : rate(s[2] * std::sqrt(C(1) - s[1]) / (C(1) - s[0])),
        beta1(s[3]),
        beta2(s[4]),
        epsilon(s[5]),
        nesterov(o.use_nesterov) {}
  constexpr void operator()(C g, C (&x)[3]) const {
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
  constexpr AdamWithAmsgrad(const OptimizerOptions&, const C* s)
      : rate(s[2] * std::sqrt(C(1) - s[1]) / (C(1) - s[0])),
        beta1(s[3]),
        beta2(s[4]),
        epsilon(s[5]) {}
  constexpr void operator()(C g, C (&x)[4]) const {
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
  constexpr AdaMax(const OptimizerOptions&, const C* s)
      : rate(s[1] / (C(1) - s[0])), beta1(s[2]), beta2(s[3]), epsilon(s[4]) {}
  constexpr void operator()(C g, C (&x)[3]) const {
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
  constexpr Adagrad(const OptimizerOptions& o, const C* s)
      : lr(s[0]), update_slots(o.update_slots) {}
  constexpr void operator()(C g, C (&x)[2]) const {
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
  constexpr AdagradV2(const OptimizerOptions& o, const C* s)
      : lr(s[0]), epsilon(s[1]), update_slots(o.update_slots) {}
  constexpr void operator()(C g, C (&x)[2]) const {
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
  constexpr AdagradDa(const OptimizerOptions&, const C* s)
      : lr(s[0]),
        threshold(s[1] * s[3]),
        damping(W(s[2]) * (W(s[3]) * W(s[0]))),
        shrinks(s[1] > C(0)) {}
  constexpr void operator()(C g, C (&x)[3]) const {
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
  constexpr Adadelta(const OptimizerOptions&, const C* s) : lr(s[0]), rho(s[1]), epsilon(s[2]) {}
  constexpr void operator()(C g, C (&x)[3]) const {
    auto& [var, accum, accum_update] = x;
    accum = accum * rho + g * g * (C(1) - rho);
    const C update = OverRoot(C(std::sqrt(accum_update + epsilon)), accum + epsilon) * g;
    accum_update = accum_update * rho + update * update * (C(1) - rho);
    var -= lr * update;
  }
};

// lr * g / sqrt(x)
template <typename C>
constexpr C RmsStep(bool sparse, C lr, C g, C x) {
  return kIsRounded<C> && sparse ? OverRoot(C(1), x) * lr * g : g * lr / std::sqrt(x);
}

// Tieleman and Hinton, lecture 6.5 of "Neural networks for machine learning", 2012; epsilon is
// inside the root.
template <typename C>
struct RmsProp {
  static constexpr int kVariables = 3;
  C lr, rho, momentum, epsilon;
  bool sparse;
  constexpr RmsProp(const OptimizerOptions& o, const C* s)
      : lr(s[0]), rho(s[1]), momentum(s[2]), epsilon(s[3]), sparse(o.sparse) {}
  constexpr void operator()(C g, C (&x)[3]) const {
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
  constexpr CenteredRmsProp(const OptimizerOptions& o, const C* s)
      : lr(s[0]), rho(s[1]), momentum(s[2]), epsilon(s[3]), sparse(o.sparse) {}
  constexpr void operator()(C g, C (&x)[4]) const {
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
  constexpr Ftrl(const OptimizerOptions& o, C lr, C l1, C l2, C shrinkage, C lr_power)
      : lr(lr),
        l1(l1),
        l2(l2),
        shrinkage(shrinkage),
        lr_power(lr_power),
        by_root(lr_power == C(-0.5)),
        scaled(o.multiply_linear_by_lr),
        sparse(o.sparse) {}
  constexpr Ftrl(const OptimizerOptions& o, const C* s) : Ftrl(o, s[0], s[1], s[2], C(0), s[3]) {}
  constexpr C Power(C x) const { return by_root ? std::sqrt(x) : std::pow(x, -lr_power); }
  constexpr void operator()(C g, C (&x)[3]) const {
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
  constexpr FtrlV2(const OptimizerOptions& o, const C* s)
      : Ftrl<C>(o, s[0], s[1], s[2], s[3], s[4]) {}
};

// Duchi and Singer, "Efficient online and batch learning using forward backward splitting", 2009.
template <typename C>
struct ProximalGradientDescent {
  static constexpr int kVariables = 1;
  using W = InOneStep<C>;
  C alpha, threshold, scale;
  bool shrinks;
  // alpha, l1, l2
  constexpr ProximalGradientDescent(const OptimizerOptions&, const C* s)
      : alpha(s[0]),
        threshold(s[0] * s[1]),
        scale(C(1) / (C(1) + s[0] * s[2])),
        shrinks(s[1] > C(0)) {}
  constexpr void operator()(C g, C (&x)[1]) const {
    const W moved = W(x[0]) - W(alpha) * W(g);
    x[0] = (shrinks ? Shrink(moved, W(threshold)) : moved) * W(scale);
  }
};

template <typename C>
struct ProximalAdagrad {
  static constexpr int kVariables = 2;
  using W = InOneStep<C>;
  W lr, l1, l2;
  constexpr ProximalAdagrad(const OptimizerOptions&, const C* s) : lr(s[0]), l1(s[1]), l2(s[2]) {}
  constexpr void operator()(C g, C (&x)[2]) const {
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
  constexpr AddSign(const OptimizerOptions&, const C* s)
      : lr(s[0]), alpha(s[1]), sign_decay(s[2]), beta(s[3]) {}
  constexpr void operator()(C g, C (&x)[2]) const {
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
  constexpr PowerSign(const OptimizerOptions&, const C* s)
      : lr(s[0]), agree(Exp(s[1] * s[2])), disagree(Exp(-s[1] * s[2])), beta(s[3]) {}
  // In double: the functions of the host and of a GPU round the last bit of a float differently.
  static constexpr C Exp(C x) { return static_cast<C>(std::exp(static_cast<double>(x))); }
  constexpr void operator()(C g, C (&x)[2]) const {
    auto& [var, m] = x;
    m = m * beta + g * (C(1) - beta);
    const C signs = Sign(g) * Sign(m);
    var -= lr * (signs > C(0) ? agree : signs < C(0) ? disagree : C(1)) * g;
  }
};

}  // namespace training
}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TRAINING_TRAINING_RULES_H_
