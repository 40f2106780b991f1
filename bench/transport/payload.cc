// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/payload.h"

#include <cstring>
#include <numeric>
#include <random>

#include "absl/base/thread_annotations.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "core/status.h"

namespace sluice::bench {
namespace {

constexpr int64_t kSmall = 10, kMedium = 10 << 10, kLarge = 1 << 20;
constexpr int kBuffers = 10;

absl::StatusOr<int64_t> ParseSize(absl::string_view text) {
  const absl::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  const absl::string_view unit = text.substr(digits.size());
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  int64_t number = 0;
  if (shift < 0 || !absl::SimpleAtoi(digits, &number) || number <= 0 || number > 1 << 30)
    return InvalidArgument("\"", std::string(text), "\" is no size: 1, 4K, 64M");
  return number << shift;
}

}  // namespace

int64_t Payload::bytes() const {
  return std::accumulate(buffers.begin(), buffers.end(), int64_t{0});
}

Payload PlainPayload(int64_t bytes) { return {absl::StrCat(bytes), {bytes}}; }

absl::StatusOr<Payload> MixedPayload(const std::string& mix) {
  constexpr int64_t kSizes[] = {kSmall, kMedium, kLarge};
  Payload payload{mix, {}};
  std::minstd_rand random(1);
  for (int i = 0; i < kBuffers; ++i) {
    if (mix == "uniform")
      payload.buffers.push_back(kSizes[i % 3]);
    else if (mix == "random")
      payload.buffers.push_back(kSizes[random() % 3]);
    else if (mix == "skewed")
      payload.buffers.push_back(i < 6 ? kLarge : i < 9 ? kMedium : kSmall);
    else
      return InvalidArgument("\"", mix, "\" is no mix: uniform, random, skewed");
  }
  return payload;
}

absl::StatusOr<std::vector<int64_t>> ParseSizes(const std::string& text) {
  std::vector<int64_t> sizes;
  if (text.empty()) return sizes;
  const std::vector<absl::string_view> ends = absl::StrSplit(text, ':');
  if (ends.size() == 2) {
    SLUICE_ASSIGN(const int64_t first, ParseSize(ends[0]));
    SLUICE_ASSIGN(const int64_t last, ParseSize(ends[1]));
    for (int64_t size = first; size <= last; size *= 4) sizes.push_back(size);
    return sizes;
  }
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    SLUICE_ASSIGN(const int64_t size, ParseSize(item));
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<Tensor> SourceTensors(const Payload& payload) {
  static absl::Mutex mu(absl::kConstInit);
  static Tensor* const block ABSL_PT_GUARDED_BY(mu) = new Tensor;
  absl::MutexLock lock(&mu);
  if (!block->valid() || block->num_elements() < payload.bytes()) {
    *block = Tensor(kUint8, Shape{payload.bytes()});
    std::memset(block->raw(), 1, block->bytes());
  }
  std::vector<Tensor> tensors;
  int64_t offset = 0;
  for (int64_t size : payload.buffers) {
    tensors.push_back(block->Rows(offset, offset + size));
    offset += size;
  }
  return tensors;
}

std::vector<Tensor> EncodedTensors(const Payload& payload) {
  std::vector<Tensor> tensors = SourceTensors(payload);
  if (!payload.serialised) return tensors;
  for (Tensor& tensor : tensors)
    tensor = Tensor::Scalar(std::string(tensor.data<char>(), tensor.bytes()));
  return tensors;
}

}  // namespace sluice::bench
