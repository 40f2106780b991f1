// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/nn/ctc_sequences.h"

#include <algorithm>
#include <limits>

namespace sluice::kernels {

absl::Status CheckCtcInputs(const Tensor& scores, const Tensor& lengths) {
  if (scores.rank() != 3) return InvalidArgument("inputs is not a 3-Tensor");
  const int64_t steps = scores.dim(0), batch = scores.dim(1);
  if (steps == 0) return InvalidArgument("max_time is 0");
  if (scores.num_elements() == 0) return InvalidArgument("inputs must not be empty");
  if (scores.dim(2) > std::numeric_limits<int32_t>::max())
    return InvalidArgument("num_classes cannot exceed max int");
  if (lengths.rank() != 1) return InvalidArgument("sequence_length is not a vector");
  if (lengths.dim(0) != batch) {
    return FailedPrecondition("len(sequence_length) != batch_size.  len(sequence_length):  ",
                              lengths.dim(0), " batch_size: ", batch);
  }
  for (int64_t b = 0; b < batch; ++b) {
    if (lengths.data<int32_t>()[b] > steps)
      return FailedPrecondition("sequence_length(", b, ") <= ", steps);
  }
  return absl::OkStatus();
}

absl::Status SetCtcLabels(KernelContext& ctx, const CtcLabels& labels, int indices, int values,
                          int shape) {
  int64_t count = 0, longest = 0;
  for (const auto& sequence : labels) {
    const auto length = static_cast<int64_t>(sequence.size());
    count += length;
    longest = std::max(longest, length);
  }
  SLUICE_ASSIGN(Tensor * at, ctx.AllocateOutput(indices, Shape{count, 2}));
  SLUICE_ASSIGN(Tensor * found, ctx.AllocateOutput(values, Shape{count}));
  auto* index = at->mutable_data<int64_t>();
  auto* value = found->mutable_data<int64_t>();
  const auto batch = static_cast<int64_t>(labels.size());
  for (int64_t b = 0; b < batch; ++b) {
    int64_t position = 0;
    for (int32_t label : labels[b]) {
      *index++ = b;
      *index++ = position++;
      *value++ = label;
    }
  }
  ctx.SetOutput(shape, Tensor::Vector<int64_t>({batch, longest}));
  return absl::OkStatus();
}

}  // namespace sluice::kernels
