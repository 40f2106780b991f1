// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/captured_function.h"

#include <atomic>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "core/device_name.h"
#include "core/runtime/function_caller.h"
#include "core/tensor/resource.h"
#include "kernels/common/dataset/call_limit.h"
#include "kernels/common/dataset/stats_sink.h"
#include "proto/function.pb.h"

namespace sluice::kernels {

absl::StatusOr<FunctionAttr> FunctionAttr::Create(const NodeSpec& node, absl::string_view attr,
                                                  absl::string_view captures) {
  SLUICE_ASSIGN(FunctionRef function, node.Get<FunctionRef>(attr));
  SLUICE_ASSIGN(const NodeSpec::Range range, node.InputRange(captures));
  return FunctionAttr{std::move(function), range, node.device};
}

namespace {

// A function runs in one task. INTERNAL, as in TensorFlow, if it captures a resource of another.
absl::Status CheckTask(const Tensor& captured, absl::string_view device) {
  if (captured.dtype() != kResource) return absl::OkStatus();
  SLUICE_ASSIGN(const DeviceName own, DeviceName::Parse(device));
  for (const ResourceHandle& handle : captured.flat<ResourceHandle>()) {
    const absl::StatusOr<DeviceName> stated = DeviceName::Parse(handle.device);
    if (!stated.ok() || !stated->full() || !own.full() || stated->SameTask(own)) continue;
    return Internal("Assigned device '", handle.device,
                    "' does not match any device: the function runs on ", own.task_name(),
                    ", but it captures the resource \"", handle.name, "\" of another task");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CapturedFunction> CapturedFunction::Create(KernelContext& ctx,
                                                          const FunctionAttr& attr) {
  FunctionCaller* functions = ctx.step().functions;
  if (functions == nullptr) return FailedPrecondition("the graph has no functions");
  CapturedFunction made;
  SLUICE_ASSIGN(made.function, functions->Find(attr.function, attr.device));
  made.name = attr.function.name;
  made.definitions = functions->definitions();
  SLUICE_ASSIGN(made.captured, KeptInputs(ctx, attr.captures));
  for (const Tensor& captured : made.captured)
    SLUICE_RETURN_IF_ERROR(CheckTask(captured, attr.device));
  return made;
}

absl::Status CapturedFunction::CheckResults(const std::vector<DType>& wanted) const {
  const std::vector<DType>& given = function->result_types();
  if (given.size() != wanted.size()) {
    return InvalidArgument("the function returns ", given.size(), " tensors, but the data set has ",
                           wanted.size(), " components");
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (given[i] != wanted[i]) {
      return InvalidArgument("the function returns a ", given[i], " for component ", i,
                             " of the data set, which is a ", wanted[i]);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> EndOrError(const absl::Status& failure, bool keeps_count) {
  if (failure.code() != absl::StatusCode::kOutOfRange) return failure;
  if (!keeps_count) return false;
  return InvalidArgument("Function invocation produced OutOfRangeError: ", failure.message());
}

namespace {

// The name of a stage in TensorFlow's model: the op's, without "Dataset".
std::string ModelName(absl::string_view op) {
  absl::ConsumePrefix(&op, "Experimental");
  return absl::StrReplaceAll(op, {{"Dataset", ""}});
}

// What Identity nodes of the function make a tensor of.
std::string BehindIdentities(const proto::FunctionDef& def, std::string tensor) {
  for (int steps = 0; steps < def.node_def_size(); ++steps) {
    const absl::string_view name = absl::string_view(tensor).substr(0, tensor.find(':'));
    const auto node = absl::c_find_if(
        def.node_def(), [&](const proto::NodeDef& one) { return one.name() == name; });
    if (node == def.node_def().end() || node->op() != "Identity" || node->input().empty()) break;
    tensor = node->input(0);
  }
  return tensor;
}

// Whether each result is an argument. TensorFlow does not call such a function.
bool OnlyReturnsArgs(const CapturedFunction& function) {
  if (function.definitions == nullptr) return false;
  const auto& all = function.definitions->function();
  const auto def = absl::c_find_if(
      all, [&](const proto::FunctionDef& one) { return one.signature().name() == function.name; });
  if (def == all.end()) return false;
  return absl::c_all_of(def->ret(), [&](const auto& result) {
    const std::string source = BehindIdentities(*def, result.second);
    return absl::c_any_of(def->signature().input_arg(),
                          [&](const auto& arg) { return arg.name() == source; });
  });
}

// Whether TensorFlow records the times of the stage's calls. 1.15 has those of two asynchronous
// stages, for the model that tunes them; later releases have those of synchronous ones.
bool HasTimes(const CapturedFunction& function, const Running& running) {
  static const auto* const synchronous = new absl::flat_hash_set<std::string>{
      "Map", "Filter", "FlatMap", "Interleave", "Scan", "TakeWhile", "ParallelInterleaveV4"};
  if (running.stats == nullptr || running.name == nullptr) return false;
  const std::string name = ModelName(running.name->op);
  const bool timed =
      running.name->later_release
          ? synchronous->contains(name)
          : running.budget != nullptr && (name == "ParallelMap" || name == "MapAndBatch");
  return timed && !OnlyReturnsArgs(function);
}

}  // namespace

struct StageFunction::CallTimes {
  CallTimes(StatsSink* to, std::string histogram) : sink(to), name(std::move(histogram)) {}

  StatsSink* const sink;
  const std::string name;
  std::atomic<int64_t> calls{0};
};

absl::StatusOr<StageFunction> StageFunction::Create(const CapturedFunction& function,
                                                    const Running& running) {
  StageFunction made;
  SLUICE_ASSIGN(made.function_, running.state->functions.Of(function.function));
  made.captured_ = &function.captured;
  made.cancel_ = &running.cancel();
  made.limit_ = running.limit;
  made.pool_ = running.pool;
  if (HasTimes(function, running)) {
    made.times_ = std::make_shared<CallTimes>(
        running.stats,
        absl::StrCat(ModelName(running.name->op), "::", function.name, "::execution_time"));
  }
  return made;
}

void StageFunction::Start(Element args, Function::Results done) const {
  Function::Call call;
  call.args = std::move(args);
  call.args.insert(call.args.end(), captured_->begin(), captured_->end());
  call.cancel = cancel_;
  call.pool = pool_;
  if (limit_ == nullptr) return function_->Start(std::move(call), std::move(done));
  limit_->Begin(*cancel_, [function = function_, limit = limit_, call = std::move(call),
                           done = std::move(done)](const absl::Status& turn) mutable {
    if (!turn.ok()) return done(turn);
    function->Start(std::move(call), [limit, done = std::move(done)](auto results) mutable {
      limit->End();
      done(std::move(results));
    });
  });
}

absl::StatusOr<Element> StageFunction::Call(Element args) const {
  absl::StatusOr<Element> answer;
  absl::Notification ended;
  const int64_t begin = times_ == nullptr ? 0 : absl::GetCurrentTimeNanos();
  Start(std::move(args), [&](absl::StatusOr<std::vector<Tensor>> results) {
    answer = std::move(results);
    ended.Notify();
  });
  ended.WaitForNotification();
  if (times_ != nullptr) {
    const auto time = static_cast<double>(absl::GetCurrentTimeNanos() - begin);
    times_->sink->Add(times_->name, time, times_->calls.fetch_add(1, std::memory_order_relaxed));
  }
  return answer;
}

absl::StatusOr<bool> StageFunction::Apply(Element& element, bool keeps_count) const {
  absl::StatusOr<Element> results = Call(std::move(element));
  if (!results.ok()) return EndOrError(results.status(), keeps_count);
  element = *std::move(results);
  return true;
}

}  // namespace sluice::kernels
