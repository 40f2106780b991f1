// SPDX-License-Identifier: Apache-2.0
// MapDefun: a function of each row of tensors.
#include "absl/synchronization/mutex.h"
#include "core/runtime/function_caller.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/tensor_rows.h"

namespace sluice::kernels {
namespace {

// The calls for the rows, several at once, and the outputs, whose rows are their results. The first
// error ends them.
//
// Threads:  any.
class RowCalls {
 public:
  RowCalls(const std::vector<DType>& types, const std::vector<PartialShape>& shapes, int64_t rows)
      : types_(types), shapes_(shapes), rows_(rows), outputs_(types.size()) {}

  // Waits until few enough calls run. False after an error.
  bool Begin() {
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(this, &RowCalls::Free));
    if (!status_.ok()) return false;
    ++active_;
    return true;
  }
  void End(int64_t row, const absl::StatusOr<std::vector<Tensor>>& results) {
    absl::Status status = results.ok() ? Keep(row, *results) : results.status();
    absl::MutexLock lock(&mu_);
    status_.Update(status);
    --active_;
  }
  absl::StatusOr<std::vector<Tensor>> Finish() {
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(this, &RowCalls::Idle));
    SLUICE_RETURN_IF_ERROR(status_);
    for (size_t i = 0; rows_ == 0 && i < outputs_.size(); ++i)
      SLUICE_RETURN_IF_ERROR(Allocate(i, NoRow(shapes_[i])));
    return std::move(outputs_);
  }

 private:
  static constexpr int64_t kMostAtOnce = 64;

  bool Free() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return active_ < kMostAtOnce; }
  bool Idle() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return active_ == 0; }
  // The shape of a row that never comes.
  static Shape::Dims NoRow(const PartialShape& stated) {
    Shape::Dims dims;
    for (int d = 0; d < stated.rank(); ++d) dims.push_back(std::max<int64_t>(0, stated.dim(d)));
    return dims;
  }
  absl::Status Allocate(size_t i, Shape::Dims row) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    row.insert(row.begin(), rows_);
    SLUICE_ASSIGN(const Shape shape, Shape::Create(row));
    SLUICE_ASSIGN(outputs_[i], Tensor::Allocate(CpuAllocator(), types_[i], shape));
    return absl::OkStatus();
  }
  absl::Status Keep(int64_t row, const std::vector<Tensor>& results) {
    for (size_t i = 0; i < results.size(); ++i) {
      const Tensor& result = results[i];
      if (!shapes_[i].CompatibleWith(result.shape())) {
        return InvalidArgument("the function returns a tensor of shape ", result.shape(),
                               " for output ", i, ", whose shape is ", shapes_[i]);
      }
      Tensor output;
      {
        absl::MutexLock lock(&mu_);
        if (!status_.ok()) return absl::OkStatus();
        if (outputs_[i].dtype() == kInvalid) {
          Shape::Dims dims;
          for (int d = 0; d < result.rank(); ++d) dims.push_back(result.dim(d));
          SLUICE_RETURN_IF_ERROR(Allocate(i, std::move(dims)));
        }
        output = outputs_[i];
      }
      Shape of_row = output.shape();
      of_row.RemoveDim(0);
      if (of_row != result.shape()) {
        return InvalidArgument("the function returns tensors of shapes ", of_row, " and ",
                               result.shape(), " for output ", i);
      }
      CopyIntoRow(result, row, output);
    }
    return absl::OkStatus();
  }

  const std::vector<DType>& types_;
  const std::vector<PartialShape>& shapes_;
  const int64_t rows_;
  absl::Mutex mu_;
  std::vector<Tensor> outputs_ ABSL_GUARDED_BY(mu_);
  absl::Status status_ ABSL_GUARDED_BY(mu_);
  int64_t active_ ABSL_GUARDED_BY(mu_) = 0;
};

struct MapDefun {
  FunctionRef function;
  std::string device;
  NodeSpec::Range arguments, captures;
  ElementSpec spec;

  static absl::StatusOr<MapDefun> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionRef function, node.Get<FunctionRef>("f"));
    SLUICE_ASSIGN(const NodeSpec::Range arguments, node.InputRange("arguments"));
    SLUICE_ASSIGN(const NodeSpec::Range captures, node.InputRange("captured_inputs"));
    return MapDefun{std::move(function), node.device, arguments, captures, std::move(spec)};
  }
  absl::StatusOr<int64_t> Rows(const KernelContext& ctx) const {
    int64_t rows = -1;
    for (int i = arguments.begin; i < arguments.end; ++i) {
      const Tensor& argument = ctx.input(i);
      if (argument.rank() == 0) {
        return InvalidArgument("All inputs must have rank at least 1. Input ", i,
                               " has a rank of 0.");
      }
      if (rows < 0) rows = argument.dim(0);
      if (argument.dim(0) == rows) continue;
      return InvalidArgument("All inputs must have the same dimension 0. Input ", i,
                             " has leading dimension ", argument.dim(0),
                             ", while all previous inputs have leading dimension ", rows);
    }
    return rows;
  }
  absl::Status CallEach(KernelContext& ctx) const {
    FunctionCaller* functions = ctx.step().functions;
    if (functions == nullptr) return FailedPrecondition("the graph has no functions");
    SLUICE_ASSIGN(const int64_t rows, Rows(ctx));
    SLUICE_ASSIGN(const std::shared_ptr<const Function> found, functions->Find(function, device));
    if (found->result_types() != spec.types) {
      return InvalidArgument("function \"", function.name,
                             "\" returns other types than output_types");
    }
    if (found->arg_types().size() != static_cast<size_t>(ctx.num_inputs())) {
      return InvalidArgument("function \"", function.name, "\" has ", found->arg_types().size(),
                             " arguments, but is given ", ctx.num_inputs());
    }
    RowCalls calls(spec.types, spec.shapes, rows);
    for (int64_t row = 0; row < rows && calls.Begin(); ++row) {
      absl::StatusOr<Function::Call> call = CallOf(ctx, row);
      if (!call.ok()) {
        calls.End(row, call.status());
        break;
      }
      found->Start(*std::move(call), [row, &calls](absl::StatusOr<std::vector<Tensor>> results) {
        calls.End(row, results);
      });
    }
    SLUICE_ASSIGN(std::vector<Tensor> outputs, calls.Finish());
    for (size_t i = 0; i < outputs.size(); ++i)
      ctx.SetOutput(static_cast<int>(i), std::move(outputs[i]));
    return absl::OkStatus();
  }
  absl::StatusOr<Function::Call> CallOf(KernelContext& ctx, int64_t row) const {
    Function::Call call;
    for (int i = arguments.begin; i < arguments.end; ++i) {
      SLUICE_ASSIGN(Tensor value, CopyOfRow(ctx.input(i), row));
      call.args.push_back(std::move(value));
    }
    for (int i = captures.begin; i < captures.end; ++i) call.args.push_back(ctx.input(i));
    call.step_id = ctx.step_id();
    call.cancel = &ctx.cancel();
    return call;
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(CallEach(ctx)); });
  }
};

}  // namespace

void RegisterMapDefun(KernelRegistry& kernels) { kernels.Add<MapDefun>("MapDefun", kCpu); }

}  // namespace sluice::kernels
