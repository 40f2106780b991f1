// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/random/multinomial_plan.h"

#include <cmath>

#include "core/tensor/resource.h"
#include "core/tensor/variant.h"
#include "kernels/common/random/random_ops.h"

namespace sluice::kernels {
namespace {

absl::Status CheckMultinomial(const Tensor& logits, const Tensor& num_samples) {
  if (logits.rank() != 2)
    return InvalidArgument("logits should be a matrix, got shape ", logits.shape());
  if (num_samples.rank() != 0)
    return InvalidArgument("num_samples should be a scalar, got shape ", num_samples.shape());
  SLUICE_ASSIGN(const int64_t count, IntScalar(num_samples));
  if (count < 0) return InvalidArgument("num_samples should be nonnegative, got ", count);
  if (logits.dim(1) <= 0)
    return InvalidArgument("num_classes should be positive, got ", logits.dim(1));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Tensor*> MultinomialOutput(KernelContext& ctx) {
  SLUICE_RETURN_IF_ERROR(CheckMultinomial(ctx.input(0), ctx.input(1)));
  SLUICE_ASSIGN(const int64_t samples, IntScalar(ctx.input(1)));
  SLUICE_ASSIGN(const Shape shape, Shape::Create({ctx.input(0).dim(0), samples}));
  return ctx.AllocateOutput(0, shape);
}

double MultinomialCycles(int64_t classes, int64_t samples) {
  return std::floor(50 * (static_cast<double>(samples) * std::log(classes) / std::log(2) +
                          static_cast<double>(classes)));
}

uint64_t MultinomialBlocks(const Shape& output) {
  const auto batch = static_cast<uint64_t>(output.dim(0)),
             samples = static_cast<uint64_t>(output.dim(1));
  return batch * ((samples + 3) / 4 * 4) * 2 * kBlocksPerOutput;
}

}  // namespace sluice::kernels
