// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_SUMMARY_SUMMARY_VALUES_H_
#define SLUICE_KERNELS_ANY_SUMMARY_SUMMARY_VALUES_H_

#include <string>

#include "core/tensor/tensor.h"

// The values in a Summary message, for ops that return it and ops that write it to an event file.
// Errors are INVALID_ARGUMENT.

namespace sluice {

namespace proto {
class Summary;
class HistogramProto;
}  // namespace proto

namespace kernels {

// The value of a scalar; INVALID_ARGUMENT with the words `otherwise` if it is not a scalar.
absl::StatusOr<std::string> TagOf(const Tensor& tag, absl::string_view otherwise);
// The value of element `i` of a real (or boolean) tensor.
absl::StatusOr<double> RealAt(const Tensor& values, int64_t i);
// Counts in buckets whose edges grow by a tenth. NaN and infinities are errors that name `where`.
absl::Status FillHistogram(const Tensor& values, absl::string_view where,
                           proto::HistogramProto* to);
// Images [batch, height, width, channels] as PNG, at most `most` of them. Floats are scaled to
// 0..255, or around 128 if one is negative; non-finite pixels become `bad_color`.
absl::Status AddImages(const std::string& tag, const Tensor& images, int64_t most,
                       const Tensor& bad_color, proto::Summary* to);
// Sounds [batch, frames] or [batch, frames, channels], -1 to 1, as WAV of 16 bits.
absl::Status AddAudio(const std::string& tag, const Tensor& sounds, float sample_rate, int64_t most,
                      proto::Summary* to);

}  // namespace kernels
}  // namespace sluice

#endif  // SLUICE_KERNELS_ANY_SUMMARY_SUMMARY_VALUES_H_
