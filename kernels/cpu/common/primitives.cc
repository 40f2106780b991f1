// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/primitives.h"

#include <cstring>

#include "kernels/common/elementwise.h"
#include "kernels/cpu/common/gather_rows.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kSmall =
    1 << 15;  // bytes that one thread copies in less time than sharding takes

int64_t BytesOf(DType dtype, int64_t n) { return n * static_cast<int64_t>(SizeOf(dtype)); }

void ZeroBytes(WorkQueue* pool, void* to, int64_t bytes) {
  ParallelFor(pool, bytes, 0.05, [&](int64_t begin, int64_t end) {
    std::memset(At(to, begin, 1), 0, static_cast<size_t>(end - begin));
  });
}

// Copies parts of whole cache lines. Each row of the result is written once from beginning to end.
void JoinLines(WorkQueue* pool, DType dtype, absl::Span<const JoinedPart> parts, int64_t rows,
               void* to) {
  const size_t element = SizeOf(dtype);
  size_t row_bytes = 0;
  for (const JoinedPart& part : parts) row_bytes += static_cast<size_t>(part.size) * element;
  ParallelFor(pool, rows, 0.03 * static_cast<double>(row_bytes), [&](int64_t begin, int64_t end) {
    char* at = static_cast<char*>(to) + static_cast<size_t>(begin) * row_bytes;
    for (int64_t row = begin; row < end; ++row) {
      for (const JoinedPart& part : parts) {
        const size_t bytes = static_cast<size_t>(part.size) * element;
        if (bytes == 0) continue;
        std::memcpy(at, static_cast<const char*>(part.from) + static_cast<size_t>(row) * bytes,
                    bytes);
        at += bytes;
      }
    }
  });
}

// Whether every part is at least a cache line wide.
bool JoinsLines(DType dtype, absl::Span<const JoinedPart> parts) {
  constexpr int64_t kLine = 64;
  if (!IsPlain(dtype)) return false;
  for (const JoinedPart& part : parts) {
    if (part.size > 0 && (part.from == nullptr || BytesOf(dtype, part.size) < kLine)) return false;
  }
  return true;
}

class OnCpu final : public Primitives {
 public:
  absl::string_view device_type() const override { return kCpu; }

  absl::Status Zero(KernelContext& ctx, DType dtype, void* to, int64_t n) const override {
    if (IsPlain(dtype) && n > 0) ZeroBytes(ctx.pool(), to, BytesOf(dtype, n));
    return absl::OkStatus();
  }
  absl::Status Fill(KernelContext& ctx, DType dtype, const void* value, void* to,
                    int64_t n) const override {
    FillElements(ctx.pool(), dtype, value, to, n);
    return absl::OkStatus();
  }
  absl::Status Repeat(KernelContext& ctx, DType dtype, const void* value, void* to,
                      int64_t n) const override {
    return Fill(ctx, dtype, value, to, n);
  }
  absl::Status StridedCopy(KernelContext& ctx, DType dtype, CopyDims dims, const void* from,
                           void* to) const override {
    kernels::StridedCopy(ctx.pool(), dtype, std::move(dims), from, to);
    return absl::OkStatus();
  }
  absl::Status Join(KernelContext& ctx, DType dtype, absl::Span<const JoinedPart> parts,
                    int64_t rows, void* to) const override {
    if (rows == 0) return absl::OkStatus();
    if (rows > 1 && JoinsLines(dtype, parts)) {
      JoinLines(ctx.pool(), dtype, parts, rows, to);
      return absl::OkStatus();
    }
    int64_t width = 0, at = 0;
    for (const JoinedPart& part : parts) width += part.size;
    for (const JoinedPart& part : parts) {
      JoinOne(ctx.pool(), dtype, part, rows, width, At(to, at, ElementSize(dtype)));
      at += part.size;
    }
    return absl::OkStatus();
  }

  absl::Status Update(KernelContext& ctx, Combine how, Tensor& target,
                      const Tensor& value) const override {
    return kernels::Update(how, target, value, ctx.pool());
  }
  absl::Status UpdateRows(KernelContext&, Combine how, Tensor& target, RowSizes rows,
                          const Tensor& indices, const Tensor& updates) const override {
    SLUICE_ASSIGN(const Slices slices, RowsAt(rows, indices));
    return kernels::UpdateSlices(how, target, slices, updates);
  }
  absl::Status UpdateSlices(KernelContext&, Combine how, Tensor& target, const Tensor& indices,
                            const Tensor& updates, bool ignore_bad) const override {
    SLUICE_ASSIGN(const Slices slices, SlicesAt(target.shape(), indices, ignore_bad));
    return kernels::UpdateSlices(how, target, slices, updates);
  }

  absl::Status GatherRows(KernelContext& ctx, const Tensor& params, const Tensor& indices,
                          const GatherSizes& sizes, Tensor& out) const override {
    return kernels::GatherRows(ctx.pool(), params, indices, sizes, out);
  }
  absl::Status GatherSlices(KernelContext& ctx, const Tensor& params, const Tensor& indices,
                            bool ignore_bad, Tensor& out) const override {
    return kernels::GatherSlices(ctx.pool(), params, indices, ignore_bad, out);
  }

 private:
  // Writes a part to each row of a result whose rows have `width` elements.
  static void JoinOne(WorkQueue* pool, DType dtype, const JoinedPart& part, int64_t rows,
                      int64_t width, void* to) {
    if (part.size == 0) return;
    const int64_t bytes = BytesOf(dtype, part.size);
    if (part.from == nullptr) {
      for (int64_t row = 0; row < rows && IsPlain(dtype); ++row)
        ZeroBytes(pool, At(to, row * width, SizeOf(dtype)), bytes);
    } else if (rows == 1 && IsPlain(dtype) && bytes < kSmall) {
      std::memcpy(to, part.from, static_cast<size_t>(bytes));
    } else {
      kernels::StridedCopy(pool, dtype, {{rows, part.size, width}, {part.size, 1, 1}}, part.from,
                           to);
    }
  }
};

}  // namespace

const Primitives& CpuPrimitives() {
  static const OnCpu on;
  return on;
}

}  // namespace sluice::kernels
