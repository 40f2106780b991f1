// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_TRAINING_SDCA_LOSS_H_
#define SLUICE_KERNELS_CPU_TRAINING_SDCA_LOSS_H_

#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice::kernels {

// A SdcaLoss is a loss that stochastic dual coordinate ascent minimises: Shalev-Shwartz and Zhang,
// "Stochastic dual coordinate ascent methods for regularized loss minimization". Labels are
// those that Label returns.
//
// Owner:    none; the objects of SdcaLossOf live until the program ends.
// Threads:  any.
class SdcaLoss {
 public:
  struct Example {
    double label, weight;
    double dual;     // its variable before the step
    double product;  // of its features and the weights
    double norm;     // the squared norm of its features, divided by L2, times the loss partitions
  };

  virtual ~SdcaLoss() = default;
  // The label of the loss for a label of the program. INVALID_ARGUMENT for one it does not have.
  virtual absl::StatusOr<float> Label(float label) const = 0;
  // The dual variable that maximises the dual objective.
  virtual double NewDual(const Example& e) const = 0;
  virtual double Dual(double dual, double label, double weight) const = 0;
  virtual double Primal(double product, double label, double weight) const = 0;
  // Of the primal loss of an example of weight 1, by the product.
  virtual double Derivative(double product, double label) const = 0;
  // Of the derivative, in the sense of Lipschitz.
  virtual double Smoothness() const = 0;
};

// By the value of the attribute loss_type; null for another value.
const SdcaLoss* SdcaLossOf(absl::string_view type);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_TRAINING_SDCA_LOSS_H_
