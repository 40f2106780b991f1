// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/feature_cross.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/string_hash.h"

namespace sluice::kernels {

uint64_t JoinHashes(uint64_t a, uint64_t b) {
  constexpr uint64_t kFactor = 0xC6A4A7935BD1E995u;
  const auto mix = [](uint64_t x) { return x ^ (x >> 47); };
  const uint64_t joined = (a ^ kFactor ^ (mix(b * kFactor) * kFactor)) * kFactor;
  return mix(mix(joined) * kFactor);
}

absl::StatusOr<FeatureColumn> DenseColumn(KernelContext& ctx, Tensor matrix) {
  const int64_t rows = matrix.dim(0), width = matrix.dim(1);
  FeatureColumn column{std::move(matrix), Tensor(), /*dense=*/true};
  SLUICE_ASSIGN(column.first, ctx.AllocateTemporary(kInt64, Shape{rows + 1}));
  int64_t* first = column.first.mutable_data<int64_t>();
  for (const int64_t row : Cancellable(rows + 1)) first[row] = row * width;
  return column;
}

absl::StatusOr<Tensor> FeatureCross::Starts(KernelContext& ctx, int64_t rows) const {
  SLUICE_ASSIGN(Tensor starts, ctx.AllocateTemporary(kInt64, Shape{rows + 1}));
  int64_t* first = starts.mutable_data<int64_t>();
  first[0] = 0;
  for (const int64_t row : Cancellable(rows)) {
    int64_t count = columns.empty() ? 0 : 1;
    for (const FeatureColumn& column : columns) {
      if (!MulFits(count, column.count(row), &count))
        return InvalidArgument("too many crosses in row ", row);
    }
    if (!AddFits(first[row], count, &first[row + 1])) return InvalidArgument("too many crosses");
  }
  return starts;
}

void FeatureCross::WriteRow(int64_t row, int64_t begin, int64_t end, Tensor& out) const {
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> at(columns.size(), 0);
  for (int64_t k = begin; k < end; ++k) {
    if (out.dtype() == kInt64) {
      const uint64_t hash = HashOf(row, at) % (buckets > 0 ? buckets : kMost);
      out.mutable_data<int64_t>()[k] = static_cast<int64_t>(hash);
    } else {
      out.mutable_data<std::string>()[k] = TextOf(row, at);
    }
    for (size_t c = columns.size(); c-- > 0 && ++at[c] == columns[c].count(row);) at[c] = 0;
  }
}

uint64_t FeatureCross::HashOf(const FeatureColumn& column, int64_t at) const {
  absl::string_view bytes;
  if (column.values.dtype() == kString) {
    bytes = column.values.data<std::string>()[at];
  } else {
    const int64_t& number = column.values.data<int64_t>()[at];
    const bool plain = value_hash == (column.dense ? ValueHash::kBytes : ValueHash::kPlain);
    if (plain || value_hash == ValueHash::kPlain) return static_cast<uint64_t>(number);
    bytes = absl::string_view(reinterpret_cast<const char*>(&number), 4);
  }
  return value_hash == ValueHash::kSalted ? SipHash24(salt, bytes) : FarmFingerprint64(bytes);
}

uint64_t FeatureCross::HashOf(int64_t row, const std::vector<int64_t>& at) const {
  uint64_t hash = key;
  for (size_t c = 0; c < columns.size(); ++c) {
    const uint64_t next = HashOf(columns[c], columns[c].begin(row) + at[c]);
    hash = c == 0 && !keyed ? next : join(hash, next);
  }
  return hash;
}

std::string FeatureCross::TextOf(int64_t row, const std::vector<int64_t>& at) const {
  std::string text;
  for (size_t c = 0; c < columns.size(); ++c) {
    const Tensor& values = columns[c].values;
    const int64_t i = columns[c].begin(row) + at[c];
    if (c > 0) text += between;
    if (values.dtype() == kString) {
      text += values.data<std::string>()[i];
    } else {
      absl::StrAppend(&text, values.data<int64_t>()[i]);
    }
  }
  return text;
}

}  // namespace sluice::kernels
