// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_SUMMARY_SUMMARY_VALUES_H_
#define SLUICE_KERNELS_ANY_SUMMARY_SUMMARY_VALUES_H_

#include <string>

#include "core/tensor/tensor.h"

// What summary ops put into a Summary message, for those that return it and those that write it to
// an event file. Errors are INVALID_ARGUMENT.

namespace sluice {

namespace proto {
class Summary;
class HistogramProto;
}  // namespace proto

namespace kernels {

// What a scalar says; INVALID_ARGUMENT with the words `otherwise` if it is none.
absl::StatusOr<std::string> TagOf(const Tensor& tag, absl::string_view otherwise);
// The value of element `i` of a real (or boolean) tensor.
absl::StatusOr<double> RealAt(const Tensor& values, int64_t i);
// Counts in buckets whose edges grow by a tenth. NaN and infinities are errors that name `where`.
absl::Status FillHistogram(const Tensor& values, absl::string_view where,
                           proto::HistogramProto* to);
// Images [batch, height, width, channels] as PNG, `most` of them. Floats are scaled to 0..255, or
// about 128 if one is negative; pixels that are not finite take `bad_color`.
absl::Status AddImages(const std::string& tag, const Tensor& images, int64_t most,
                       const Tensor& bad_color, proto::Summary* to);
// Sounds [batch, frames] or [batch, frames, channels], -1 to 1, as WAV of 16 bits.
absl::Status AddAudio(const std::string& tag, const Tensor& sounds, float sample_rate, int64_t most,
                      proto::Summary* to);

}  // namespace kernels
}  // namespace sluice

#endif  // SLUICE_KERNELS_ANY_SUMMARY_SUMMARY_VALUES_H_
