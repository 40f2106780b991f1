// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/math/reduction.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kTile = 256;  // accumulators of one unit of work
constexpr int64_t kPartSize =
    1 << 15;  // elements of a part, if few results have many elements each
constexpr int64_t kMaxParts = 32;

struct Dim {
  int64_t size;
  int64_t stride;  // elements
};

// The input as nested loops: kept and reduced dimensions around an innermost run.
struct Walk {
  absl::InlinedVector<Dim, 4> kept, reduced;  // outermost first, without the innermost
  bool inner_reduced = false;
  int64_t inner = 1;
  int64_t outputs = 1;
  int64_t count = 1;  // elements of each result
};

Walk PlanWalk(const Shape& shape, absl::Span<const bool> reduced) {
  struct Marked {
    Dim dim;
    bool reduced;
  };
  absl::InlinedVector<Marked, 8> dims;  // innermost first; neighbours of one kind are joined
  int64_t stride = 1;
  Walk walk;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    const int64_t size = shape.dim(d);
    (reduced[d] ? walk.count : walk.outputs) *= size;
    if (size != 1) {
      if (!dims.empty() && dims.back().reduced == reduced[d])
        dims.back().dim.size *= size;
      else
        dims.push_back({{size, stride}, reduced[d]});
    }
    stride *= size;
  }
  if (dims.empty()) dims.push_back({{1, 1}, true});
  walk.inner = dims[0].dim.size;
  walk.inner_reduced = dims[0].reduced;
  for (size_t i = dims.size() - 1; i > 0; --i)
    (dims[i].reduced ? walk.reduced : walk.kept).push_back(dims[i].dim);
  // Rows of kept elements are read one dimension at a time.
  if (!walk.inner_reduced && walk.reduced.empty()) walk.reduced.push_back({1, 0});
  return walk;
}

int64_t OffsetOf(absl::Span<const Dim> dims, int64_t index) {
  int64_t offset = 0;
  for (int d = static_cast<int>(dims.size()) - 1; d >= 0; --d) {
    offset += index % dims[d].size * dims[d].stride;
    index /= dims[d].size;
  }
  return offset;
}

// Calls fn(offset) for every coordinate of `dims`, in order.
template <typename Fn>
void ForEach(absl::Span<const Dim> dims, Fn fn) {
  int64_t total = 1;
  for (const Dim& dim : dims) total *= dim.size;
  absl::InlinedVector<int64_t, 8> at(dims.size(), 0);
  int64_t offset = 0;
  for (int64_t i = 0; i < total; ++i) {
    fn(offset);
    for (int d = static_cast<int>(dims.size()) - 1; d >= 0; --d) {
      offset += dims[d].stride;
      if (++at[d] < dims[d].size) break;
      offset -= dims[d].size * dims[d].stride;
      at[d] = 0;
    }
  }
}

// A unit of work: tile `tile` of the results at kept coordinate `kept`, from part `part` of the
// elements.
class Job {
 public:
  Job(const Reducer& reducer, size_t element, const Walk& walk, const void* x)
      : reducer_(reducer), element_(element), walk_(walk), x_(x) {
    const int64_t total = walk.outputs * walk.count;
    // The results of contiguous lines one after the other: a tile has about kPartSize elements.
    lines_ = walk.inner_reduced && walk.reduced.empty();
    if (lines_) tile_ = std::clamp<int64_t>(kPartSize / walk.inner, 1, kTile);
    const int64_t row = lines_ ? walk.outputs : walk.inner;
    tiles_ = walk.inner_reduced && !lines_ ? 1 : (row + tile_ - 1) / tile_;
    kept_ = lines_ ? 1 : walk.inner_reduced ? walk.outputs : walk.outputs / walk.inner;
    if (kept_ * tiles_ < kMaxParts / 2 && total >= 2 * kPartSize) {
      parts_ = std::min({kMaxParts, total / kPartSize, SplitSize()});
    }
  }

  int64_t units() const { return kept_ * tiles_; }
  int64_t parts() const { return parts_; }
  int64_t first_output(int64_t unit) const {
    if (lines_) return unit * tile_;
    return walk_.inner_reduced ? unit : unit / tiles_ * walk_.inner + unit % tiles_ * kTile;
  }
  int64_t outputs(int64_t unit) const {
    if (lines_) return std::min(tile_, walk_.outputs - unit * tile_);
    return walk_.inner_reduced ? 1 : std::min(kTile, walk_.inner - unit % tiles_ * kTile);
  }

  // REQUIRES: `acc` has room for outputs(unit) accumulators.
  void Accumulate(int64_t unit, int64_t part, void* acc) const {
    const int64_t n = outputs(unit);
    reducer_.start(acc, n);
    const int64_t begin = SplitSize() * part / parts_,
                  size = SplitSize() * (part + 1) / parts_ - begin;
    if (lines_) {
      const int64_t at = unit * tile_ * walk_.inner + begin;
      return reducer_.lines(acc, At(x_, at, element_), n, walk_.inner, size);
    }
    absl::InlinedVector<Dim, 4> dims = walk_.reduced;
    int64_t offset = OffsetOf(walk_.kept, unit / tiles_) + unit % tiles_ * kTile;
    offset += begin * dims[0].stride;
    dims[0].size = size;
    if (walk_.inner_reduced) {
      ForEach(dims,
              [&](int64_t at) { reducer_.run(acc, At(x_, offset + at, element_), walk_.inner); });
    } else {
      const Dim rows = dims.back();
      dims.pop_back();
      ForEach(dims, [&](int64_t at) {
        reducer_.rows(acc, At(x_, offset + at, element_), rows.size, rows.stride, n);
      });
    }
  }

 private:
  // The size of the dimension that is split into parts: the outermost reduced dimension, or the
  // run.
  int64_t SplitSize() const { return walk_.reduced.empty() ? walk_.inner : walk_.reduced[0].size; }

  const Reducer& reducer_;
  const size_t element_;
  const Walk& walk_;
  const void* const x_;
  bool lines_ = false;
  int64_t tile_ = kTile, tiles_, kept_, parts_ = 1;
};

void ReduceInParts(WorkQueue* pool, const Reducer& reducer, const Walk& walk, const Job& job,
                   size_t element, void* out) {
  const int64_t parts = job.parts(), units = job.units();
  const size_t size = reducer.accumulator_size;
  std::vector<char> partial(static_cast<size_t>(parts * walk.outputs) * size);
  const auto slot = [&](int64_t part, int64_t unit) {
    return partial.data() +
           static_cast<size_t>(part * walk.outputs + job.first_output(unit)) * size;
  };
  const double cost =
      0.12 * static_cast<double>(walk.outputs * walk.count) / static_cast<double>(parts * units);
  ParallelFor(pool, parts * units, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      job.Accumulate(i % units, i / units, slot(i / units, i % units));
  });
  for (int64_t unit = 0; unit < units; ++unit) {
    for (int64_t part = 1; part < parts; ++part)
      reducer.merge(slot(0, unit), slot(part, unit), job.outputs(unit));
    reducer.finish(slot(0, unit), At(out, job.first_output(unit), element), job.outputs(unit),
                   walk.count);
  }
}

struct Reduction {
  Reducer reducer;
  bool keep_dims;
  bool lone_as_is;  // a single element is the result itself, even a NaN that Max skips otherwise

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(ReducedAxes axes, ReducedAxes::Parse(x.shape(), ctx.input(1), keep_dims));
    if (lone_as_is && x.num_elements() == axes.output.num_elements()) {
      SLUICE_ASSIGN(Tensor same, x.Reshaped(axes.output));
      ctx.SetOutput(0, std::move(same));
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, axes.output));
    Reduce(ctx.pool(), reducer, x.dtype(), x.shape(), axes.reduced, x.raw(), out->raw());
    return absl::OkStatus();
  }
};

}  // namespace

void Reduce(WorkQueue* pool, const Reducer& reducer, DType dtype, const Shape& shape,
            absl::Span<const bool> reduced, const void* x, void* out) {
  const Walk walk = PlanWalk(shape, reduced);
  const size_t element = SizeOf(dtype);
  if (walk.outputs == 0) return;
  // The widest accumulator is a complex128.
  alignas(16) char accumulators[kTile * 16];
  if (walk.count == 0) {
    for (int64_t i = 0; i < walk.outputs; i += kTile) {
      const int64_t n = std::min(kTile, walk.outputs - i);
      reducer.start(accumulators, n);
      reducer.finish(accumulators, At(out, i, element), n, 0);
    }
    return;
  }
  const Job job(reducer, element, walk, x);
  if (job.parts() > 1) return ReduceInParts(pool, reducer, walk, job, element, out);
  const double cost =
      5 + 0.12 * static_cast<double>(walk.outputs * walk.count) / static_cast<double>(job.units());
  ParallelFor(pool, job.units(), cost, [&](int64_t begin, int64_t end) {
    alignas(16) char acc[kTile * 16];
    for (int64_t unit = begin; unit < end; ++unit) {
      job.Accumulate(unit, 0, acc);
      reducer.finish(acc, At(out, job.first_output(unit), element), job.outputs(unit), walk.count);
    }
  });
}

void AddReduction(KernelRegistry& kernels, const ReductionOp& op, bool int32_on_host) {
  auto create = [op](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    SLUICE_ASSIGN(bool keep_dims, node.Get<bool>("keep_dims"));
    // a norm has no sign, so it computes even one element
    const bool lone_as_is = node.op != "EuclideanNorm";
    return MakeKernel(
        Reduction{op.reducers[static_cast<int>(node.input_types[0])], keep_dims, lone_as_is});
  };
  DTypeSet types;
  for (int t = 1; t < kNumDTypes; ++t) {
    if (op.reducers[t].run != nullptr) types = types | DTypeSet(static_cast<DType>(t));
  }
  std::vector<TypeConstraint> constraints{{"Tidx", kIndex}};
  if (types.bits() != DTypeSet(kBool).bits()) constraints.push_back({"T", types});
  kernels.AddWith(create, op.name, kCpu, constraints);
  if (int32_on_host) {
    kernels.AddWith(create, op.name, kGpu, {{"Tidx", kIndex}, {"T", kInt32}},
                    HostMemory{"input", "reduction_indices", "output"});
  }
}

}  // namespace sluice::kernels
