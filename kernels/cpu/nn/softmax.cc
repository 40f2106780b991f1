// SPDX-License-Identifier: Apache-2.0
// Softmax, its logarithm, and the cross entropies that contain it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/softmax_plan.h"
#include "kernels/cpu/common/simd.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

using SoftmaxTypes = FloatingTypes;

constexpr int64_t kPowersBlock = 16;

// The number of floats in an AVX register, for reductions that the compiler may not reorder.
template <typename C>
struct Lanes {
  typedef C Vector __attribute__((vector_size(32)));
  static constexpr int64_t kCount = 32 / sizeof(C);

  static Vector Load(const C* x) {
    Vector v;
    std::memcpy(&v, x, sizeof(v));
    return v;
  }
};

// Folds n elements into `start` with `fold`, which accepts vectors and numbers.
template <typename C, typename Fold>
C Folded(const C* x, int64_t n, C start, Fold fold) {
  using L = Lanes<C>;
  constexpr int64_t kStep = 2 * L::kCount;
  int64_t i = 0;
  if (n >= kStep) {
    auto first = L::Load(x), second = L::Load(x + L::kCount);
    for (i = kStep; i + kStep <= n; i += kStep) {
      first = fold(first, L::Load(x + i));
      second = fold(second, L::Load(x + i + L::kCount));
    }
    first = fold(first, second);
    C lanes[L::kCount];
    std::memcpy(lanes, &first, sizeof(first));
    for (int64_t half = L::kCount / 2; half > 0; half /= 2) {
      for (int64_t j = 0; j < half; ++j) lanes[j] = fold(lanes[j], lanes[j + half]);
    }
    start = fold(start, lanes[0]);
  }
  for (; i < n; ++i) start = fold(start, x[i]);
  return start;
}

// The largest number of a row. NaN may be ignored.
template <typename C>
C Greatest(const C* x, int64_t n) {
  return Folded(x, n, -std::numeric_limits<C>::infinity(),
                [](auto a, auto b) { return a < b ? b : a; });
}

template <typename C>
C Sum(const C* x, int64_t n) {
  return Folded(x, n, C(0), [](auto a, auto b) { return a + b; });
}

// out = in - max(in). A NaN anywhere, or an infinite maximum, makes all dependent values NaN.
template <typename T, typename C>
void Shift(const T* in, int64_t n, C* out) {
  const C* x = out;
  if constexpr (std::is_same_v<T, C>)
    x = in;
  else
    std::copy_n(in, n, out);
  const C greatest = Greatest(x, n);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] - greatest;
}

// out = exp(x - shift) for whole blocks.
template <typename C>
void PowersOfBlocks(const C* x, int64_t blocks, C shift, C* out) {
  const int64_t n = blocks * kPowersBlock;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) out[i] = std::exp(x[i] - shift);
}

// out = exp(x - shift), and their sum. The last elements use the vector code too; otherwise a row's
// result would depend on its length.
template <typename C>
C Powers(const C* x, int64_t n, C shift, C* out) {
  const int64_t blocks = n / kPowersBlock, whole = blocks * kPowersBlock;
  PowersOfBlocks(x, blocks, shift, out);
  if (whole < n) {
    C rest[kPowersBlock] = {};
    std::copy(x + whole, x + n, rest);
    int64_t one = 1;
    asm("" : "+r"(one));  // a known count would be unrolled into scalar calls
    PowersOfBlocks(rest, one, shift, rest);
    std::copy_n(rest, n - whole, out + whole);
  }
  return Sum(out, n);
}

// Rows of a tensor of any rank >= 1.
struct Softmax {
  static constexpr int64_t kBatch = 16;

  bool log;

  static absl::StatusOr<Softmax> Create(const NodeSpec& node) {
    return Softmax{absl::string_view(node.op) == "LogSoftmax"};
  }

  // Rows in a batch. The steps of one row depend on each other; the rows do not. `out` may be `in`.
  template <typename C>
  static void Batch(const C* in, int64_t rows, int64_t n, C* out) {
    C numbers[kBatch];
    for (int64_t r = 0; r < rows; ++r) numbers[r] = Greatest(in + r * n, n);
    for (int64_t r = 0; r < rows; ++r)
      numbers[r] = C(1) / Powers(in + r * n, n, numbers[r], out + r * n);
    for (int64_t r = 0; r < rows; ++r) {
      C* const row = out + r * n;
      const C scale = numbers[r];
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) row[i] *= scale;
    }
  }

  // `powers` has room for n.
  template <typename C>
  static void BatchLog(const C* in, int64_t rows, int64_t n, C* powers, C* out) {
    for (int64_t r = 0; r < rows; ++r, in += n, out += n) {
      Shift(in, n, out);
      const C log_sum = std::log(Powers(out, n, C(0), powers));
      for (int64_t i = 0; i < n; ++i) out[i] -= log_sum;
    }
  }

  template <typename T>
  void Rows(const T* in, int64_t rows, int64_t n, T* out, WorkQueue* pool) const {
    using C = ComputeType<T>;
    const int64_t batch = std::clamp<int64_t>(1024 / n, 1, kBatch);
    ParallelFor(pool, rows, 20 + 0.6 * n, [&](int64_t begin, int64_t end) {
      std::vector<C> buffer(kIsNarrowFloat<T> ? batch * n : 0), powers(log ? n : 0);
      WithWidestVectors([&, log = log] {
        for (int64_t r = begin; r < end; r += batch) {
          const int64_t count = std::min(batch, end - r);
          const C* x;
          C* y;
          if constexpr (kIsNarrowFloat<T>) {
            std::copy_n(in + r * n, count * n, buffer.data());
            x = y = buffer.data();
          } else {
            x = in + r * n;
            y = out + r * n;
          }
          if (log)
            BatchLog<C>(x, count, n, powers.data(), y);
          else
            Batch<C>(x, count, n, y);
          if constexpr (kIsNarrowFloat<T>) std::copy_n(y, count * n, out + r * n);
        }
      });
    });
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    SLUICE_RETURN_IF_ERROR(CheckSoftmax(shape));
    const DType dtype = ctx.input(0).dtype();
    const void* in = ctx.input(0).raw();  // stays valid: if forwarded, it is the output
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const int64_t n = shape.dim(shape.rank() - 1);
    return VisitDType(SoftmaxTypes{}, dtype, [&]<typename T>(Type<T>) {
      Rows<T>(static_cast<const T*>(in), shape.num_elements() / n, n, out->mutable_data<T>(),
              ctx.pool());
      return absl::OkStatus();
    });
  }
};

struct SoftmaxCrossEntropy {
  // loss = sum(labels * (log(sum(exp(x))) - x)), backprop = softmax(x) - labels, where x is the
  // shifted logits.
  template <typename T>
  static void Rows(const Tensor& logits, const Tensor& labels, const CrossEntropyPlan& plan,
                   T* loss, T* backprop, WorkQueue* pool) {
    using C = ComputeType<T>;
    const int64_t n = plan.shape.dim(1);
    const MatrixStrides &x = plan.logits, &y = plan.labels;
    ParallelFor(pool, plan.shape.dim(0), 50 + 4.0 * n, [&](int64_t begin, int64_t end) {
      std::vector<T> row(x.col == 0 ? n : 0);
      std::vector<C> shifted(n), powers(n);
      for (int64_t r = begin; r < end; ++r) {
        const T* from = logits.data<T>() + r * x.row;
        if (x.col == 0) {
          std::fill(row.begin(), row.end(), *from);
          from = row.data();
        }
        const T* label = labels.data<T>() + r * y.row;
        Shift(from, n, shifted.data());
        const C sum = Powers(shifted.data(), n, C(0), powers.data());
        const C log_sum = std::log(sum);
        C total = 0;
        T* out = backprop + r * n;
        for (int64_t j = 0; j < n; ++j) {
          const C want = static_cast<C>(label[j * y.col]);
          total += want * (log_sum - shifted[j]);
          out[j] = T(powers[j] / sum - want);
        }
        loss[r] = T(total);
      }
    });
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& logits = ctx.input(0);
    const Tensor& labels = ctx.input(1);
    SLUICE_ASSIGN(const CrossEntropyPlan plan,
                  CrossEntropyPlan::Of(logits.shape(), labels.shape()));
    const Shape& shape = plan.shape;
    SLUICE_ASSIGN(Tensor * loss, ctx.AllocateOutput(0, Shape{shape.dim(0)}));
    SLUICE_ASSIGN(Tensor * backprop, ctx.AllocateOutput(1, shape));
    return VisitDType(SoftmaxTypes{}, logits.dtype(), [&]<typename T>(Type<T>) {
      T* losses = loss->mutable_data<T>();
      if (shape.num_elements() == 0) {
        std::fill_n(losses, shape.dim(0), T(0));
      } else {
        Rows<T>(logits, labels, plan, losses, backprop->mutable_data<T>(), ctx.pool());
      }
      return absl::OkStatus();
    });
  }
};

struct SparseSoftmaxCrossEntropy {
  // All labels are checked before the computation.
  static absl::Status CheckLabels(absl::Span<const int64_t> labels, int64_t classes) {
    for (int64_t label : labels) {
      if (label >= 0 && label < classes) continue;
      constexpr size_t kShown = 100;
      return InvalidArgument(
          "Received a label value of ", label, " which is outside the valid range of [0, ", classes,
          ").  Label values: ", absl::StrJoin(labels.first(std::min(labels.size(), kShown)), " "),
          labels.size() > kShown ? " ..." : "");
    }
    return absl::OkStatus();
  }

  template <typename T>
  static void Rows(const T* logits, absl::Span<const int64_t> labels, int64_t n, T* loss,
                   T* backprop, WorkQueue* pool) {
    using C = ComputeType<T>;
    ParallelFor(pool, labels.size(), 50 + 3.0 * n, [&](int64_t begin, int64_t end) {
      std::vector<C> shifted(n), powers(n);
      WithWidestVectors([&] {
        for (int64_t r = begin; r < end; ++r) {
          Shift(logits + r * n, n, shifted.data());
          const C sum = Powers(shifted.data(), n, C(0), powers.data());
          loss[r] = T(std::log(sum) - shifted[labels[r]]);
          const C scale = C(1) / sum;
          T* out = backprop + r * n;
          for (int64_t j = 0; j < n; ++j) out[j] = T(powers[j] * scale);
          out[labels[r]] = T(powers[labels[r]] * scale - C(1));
        }
      });
    });
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& logits = ctx.input(0);
    const Tensor& labels = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckSparseCrossEntropy(logits.shape(), labels.shape()));
    SLUICE_ASSIGN(const Shape::Dims wanted, IntVector(labels));
    SLUICE_RETURN_IF_ERROR(CheckLabels(wanted, logits.dim(1)));
    SLUICE_ASSIGN(Tensor * loss, ctx.AllocateOutput(0, labels.shape()));
    SLUICE_ASSIGN(Tensor * backprop, ctx.AllocateOutput(1, logits.shape()));
    return VisitDType(SoftmaxTypes{}, logits.dtype(), [&]<typename T>(Type<T>) {
      Rows<T>(logits.data<T>(), wanted, logits.dim(1), loss->mutable_data<T>(),
              backprop->mutable_data<T>(), ctx.pool());
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterSoftmax(KernelRegistry& kernels) {
  const DTypeSet types = SetOf(SoftmaxTypes{});
  kernels.Add<Softmax>("Softmax", kCpu, {{"T", types}});
  kernels.Add<Softmax>("LogSoftmax", kCpu, {{"T", types}});
  kernels.Add<SoftmaxCrossEntropy>("SoftmaxCrossEntropyWithLogits", kCpu, {{"T", types}});
  kernels.Add<SparseSoftmaxCrossEntropy>("SparseSoftmaxCrossEntropyWithLogits", kCpu,
                                         {{"T", types}, {"Tlabels", kIndex}});
}

}  // namespace sluice::kernels
