// Ops that move slots, or only look at them: the executor gives frames and dead values their
// meaning.
#include <cmath>
#include <cstdio>
#include <memory>

#include "absl/strings/match.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/device.h"
#include "core/io/file.h"
#include "kernels/any/control_flow/register.h"
#include "kernels/any/data_flow/session_handle.h"
#include "kernels/common/summarize.h"

namespace sluice::kernels {
namespace {

struct NoOp {
  absl::Status Run(KernelContext&) const { return absl::OkStatus(); }
};

struct Const {
  Tensor value;

  static absl::StatusOr<Const> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Tensor value, node.Get<Tensor>("value"));
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("dtype"));
    if (value.dtype() != dtype) {
      return InvalidArgument("attribute \"value\" is a ", value.dtype(),
                             " tensor, but \"dtype\" is ", dtype);
    }
    return Const{std::move(value)};
  }
  absl::Status Run(KernelContext& ctx) const {
    ctx.SetOutput(0, value);
    return absl::OkStatus();
  }
};

struct Placeholder {
  absl::Status missing;

  static absl::StatusOr<Placeholder> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("dtype"));
    const auto shape = GetAttrOr(node.attrs, "shape", PartialShape());
    const std::string suffix = shape.rank() > 0 ? Cat(" and shape ", shape) : "";
    return Placeholder{InvalidArgument("You must feed a value for placeholder tensor '", node.name,
                                       "' with dtype ", dtype, suffix)};
  }
  absl::Status Run(KernelContext&) const { return missing; }
};

// Every input's slot, value or reference, is the output of the same index.
struct Forward {
  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < ctx.num_outputs(); ++i) ctx.ForwardSlot(i, i);
    return absl::OkStatus();
  }
};

struct Switch {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& pred = ctx.input(1);
    if (pred.dtype() != kBool || pred.rank() != 0) {
      return InvalidArgument("The second input must be a scalar, but it has shape ", pred.shape(),
                             " and type ", pred.dtype());
    }
    ctx.ForwardSlot(0, pred.scalar<bool>() ? 1 : 0);
    return absl::OkStatus();
  }
};

// An index out of range takes the last output.
struct SwitchN {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t index, IntScalar(ctx.input(1)));
    const int last = ctx.num_outputs() - 1;
    ctx.ForwardSlot(0, index < 0 || index > last ? last : static_cast<int>(index));
    return absl::OkStatus();
  }
};

struct Merge {
  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (!ctx.has_input(i)) continue;
      ctx.ForwardSlot(i, 0);
      if (ctx.num_outputs() > 1) ctx.SetOutput(1, Tensor::Scalar<int32_t>(i));
      return absl::OkStatus();
    }
    return Internal("a Merge ran without a live input");
  }
};

struct RefSelect {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& index = ctx.input(0);
    if (index.rank() != 0)
      return InvalidArgument("Index must be a scalar, but it has shape ", index.shape());
    const int64_t n = ctx.num_inputs() - 1;
    const int64_t i = index.scalar<int32_t>();
    if (i < 0 || i >= n)
      return InvalidArgument("Index must be in the range [0, ", n, ") but got ", i);
    ctx.ForwardSlot(static_cast<int>(i) + 1, 0);
    return absl::OkStatus();
  }
};

// A task serves many clients: none of them may end it.
struct Abort {
  std::string message;

  static absl::StatusOr<Abort> Create(const NodeSpec& node) {
    return Abort{GetAttrOr(node.attrs, "error_msg", std::string())};
  }
  absl::Status Run(KernelContext&) const { return Aborted("Abort op: ", message); }
};

// A client may feed the handle of a tensor that the session keeps in place of the tensor.
struct Arg {
  int64_t index;
  DType dtype;
  std::string container;

  static absl::StatusOr<Arg> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t index, node.Get<int64_t>("index"));
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("T"));
    return Arg{index, dtype, GetAttrOr(node.attrs, "_session_container", std::string())};
  }
  absl::Status Run(KernelContext& ctx) const {
    const auto args = ctx.step().args;
    if (index < 0 || index >= static_cast<int64_t>(args.size())) {
      return InvalidArgument("argument ", index, " is wanted, but ", args.size(), " were given");
    }
    Tensor value = args[index];
    if (value.dtype() == kResource && dtype != kResource && value.num_elements() == 1) {
      SLUICE_ASSIGN(value, KeptTensor(ctx, container, value.flat<ResourceHandle>()[0].name));
    }
    if (value.dtype() != dtype) {
      return InvalidArgument("Expects arg[", index, "] to be ", dtype, " but ", value.dtype(),
                             " is provided");
    }
    ctx.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
};

// A fetched value leaves the step, so it must be on the host. It may still be an alias of a
// reference variable: whoever lets it out of the step takes the snapshot. Run is for devices without
// memory of their own.
struct Retval {
  int64_t index;

  static absl::StatusOr<Retval> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t index, node.Get<int64_t>("index"));
    return Retval{index};
  }
  absl::Status Run(KernelContext& ctx) const {
    const auto retvals = ctx.step().retvals;
    if (index < 0 || index >= static_cast<int64_t>(retvals.size())) {
      return InvalidArgument("return value ", index, " of ", retvals.size());
    }
    if (ctx.dead() || !ctx.has_input(0)) {
      retvals[index] = Parcel{Tensor(), true};
      return absl::OkStatus();
    }
    retvals[index] = Parcel{ctx.input(0), false};
    return absl::OkStatus();
  }
  void Start(KernelContext& ctx, Done done) const {
    if (!ctx.device().has_own_memory() || ctx.dead() || !ctx.has_input(0)) return done(Run(ctx));
    ctx.device().CopyToHost(
        ctx.input(0), [this, &ctx, done = std::move(done)](absl::StatusOr<Tensor> value) mutable {
          if (!value.ok()) return done(value.status());
          ctx.inputs()[0].value = *std::move(value);
          done(Run(ctx));
        });
  }
};

struct Assert {
  int64_t summarize;

  static absl::StatusOr<Assert> Create(const NodeSpec& node) {
    return Assert{GetAttrOr<int64_t>(node.attrs, "summarize", 3)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& condition = ctx.input(0);
    if (condition.rank() != 0)
      return InvalidArgument("In[0] should be a scalar: ", condition.shape());
    if (condition.scalar<bool>()) return absl::OkStatus();
    std::string message = "assertion failed:";
    for (int i = 1; i < ctx.num_inputs(); ++i)
      absl::StrAppend(&message, " [", Summarize(ctx.input(i), summarize), "]");
    return InvalidArgument(message);
  }
};

// How often a node has printed: shared by all steps.
struct Countdown {
  explicit Countdown(int64_t first_n) : left(first_n) {}
  absl::Mutex mu;
  int64_t left ABSL_GUARDED_BY(mu);  // negative: without end

  bool Take() {
    absl::MutexLock lock(&mu);
    if (left == 0) return false;
    if (left > 0) --left;
    return true;
  }
};

struct Print {
  std::string message;
  int64_t summarize;
  std::unique_ptr<Countdown> countdown;

  static absl::StatusOr<Print> Create(const NodeSpec& node) {
    return Print{GetAttrOr(node.attrs, "message", std::string()),
                 GetAttrOr<int64_t>(node.attrs, "summarize", 3),
                 std::make_unique<Countdown>(GetAttrOr<int64_t>(node.attrs, "first_n", -1))};
  }
  absl::Status Run(KernelContext& ctx) const {
    ctx.ForwardSlot(0, 0);
    if (!countdown->Take()) return absl::OkStatus();
    std::string line = message;
    for (int i = 1; i < ctx.num_inputs(); ++i)
      absl::StrAppend(&line, "[", Summarize(ctx.input(i), summarize), "]");
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
    return absl::OkStatus();
  }
};

struct PrintV2 {
  static constexpr absl::string_view kFile = "file://";
  std::string stream, end;

  static absl::Status AppendTo(const std::string& path, absl::string_view line) {
    SLUICE_ASSIGN(std::unique_ptr<OutputFile> file, CreateFile(path, WriteMode::kAppend));
    SLUICE_RETURN_IF_ERROR(file->Append(line));
    return file->Close();
  }

  static absl::StatusOr<PrintV2> Create(const NodeSpec& node) {
    const auto stream = GetAttrOr(node.attrs, "output_stream", std::string("stderr"));
    const bool known = stream == "stderr" || stream == "stdout" ||
                       absl::StartsWith(stream, kFile) || stream == "log(info)" ||
                       stream == "log(warning)" || stream == "log(error)";
    if (!known) return InvalidArgument("unknown output stream \"", stream, "\"");
    return PrintV2{stream, GetAttrOr(node.attrs, "end", std::string("\n"))};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    if (input.rank() != 0)
      return InvalidArgument("Input is expected to be scalar, but got ", input.shape());
    const std::string line = input.scalar<std::string>() + end;
    if (absl::StartsWith(stream, kFile)) return AppendTo(stream.substr(kFile.size()), line);
    std::FILE* out = stream == "stdout" ? stdout : stderr;
    const bool written = std::fwrite(line.data(), 1, line.size(), out) == line.size();
    std::fflush(out);
    return written ? absl::OkStatus() : Internal("cannot write to \"", stream, "\"");
  }
};

struct CheckNumerics {
  std::string message;

  static absl::StatusOr<CheckNumerics> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string message, node.Get<std::string>("message"));
    return CheckNumerics{std::move(message)};
  }
  absl::Status Run(KernelContext& ctx) const {
    bool nan = false, inf = false;
    SLUICE_RETURN_IF_ERROR(
        VisitDType(FloatingTypes{}, ctx.input(0).dtype(), [&]<typename T>(Type<T>) {
          for (const T& value : ctx.input(0).flat<T>()) {
            const auto v = static_cast<ComputeType<T>>(value);
            nan |= std::isnan(v);
            inf |= std::isinf(v);
          }
          return absl::OkStatus();
        }));
    if (nan || inf) {
      return InvalidArgument(message, " : Tensor had ",
                             nan && inf ? "Inf and NaN"
                             : nan      ? "NaN"
                                        : "Inf",
                             " values");
    }
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct EnsureShape {
  PartialShape shape;
  std::string tensor;

  static absl::StatusOr<EnsureShape> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PartialShape shape, node.Get<PartialShape>("shape"));
    return EnsureShape{std::move(shape), node.inputs[0]};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Shape& actual = ctx.input(0).shape();
    if (!shape.CompatibleWith(actual)) {
      return InvalidArgument("Shape of tensor ", tensor, " ", actual,
                             " is not compatible with expected shape ", shape, ".");
    }
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct GuaranteeConst {
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).dtype() == kResource)
      return InvalidArgument("Input tensor cannot be a resource variable handle.");
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct Timestamp {
  absl::Status Run(KernelContext& ctx) const {
    ctx.SetOutput(0,
                  Tensor::Scalar<double>(absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch())));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterFlow(KernelRegistry& kernels, absl::string_view device) {
  for (auto op : {"NoOp", "ControlTrigger"}) kernels.Add<NoOp>(op, device, {}, kCheap);
  kernels.Add<Const>("Const", device, {}, kCheap);
  for (auto op : {"Placeholder", "PlaceholderV2"}) kernels.Add<Placeholder>(op, device, {}, kCheap);
  for (auto op : {"Identity", "RefIdentity", "IdentityN", "StopGradient", "PreventGradient",
                  "DebugGradientIdentity", "DebugGradientRefIdentity", "PlaceholderWithDefault",
                  "Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "RefNextIteration",
                  "_ListToArray", "_ArrayToList"}) {
    kernels.Add<Forward>(op, device, {}, kCheap);
  }
  kernels.Add<GuaranteeConst>("GuaranteeConst", device, {}, kCheap);
  kernels.Add<Forward>("LoopCond", device, {}, HostMemory{"input", "output"}, kCheap);
  for (auto op : {"Switch", "RefSwitch"})
    kernels.Add<Switch>(op, device, {}, HostMemory{"pred"}, kCheap);
  kernels.Add<SwitchN>("_SwitchN", device, {}, HostMemory{"output_index"}, kCheap);
  for (auto op : {"Merge", "RefMerge"})
    kernels.Add<Merge>(op, device, {}, HostMemory{"value_index"}, kCheap);
  kernels.Add<RefSelect>("RefSelect", device, {}, HostMemory{"index"}, kCheap);
  for (auto op : {"_Arg", "_DeviceArg"}) kernels.Add<Arg>(op, device, {}, kCheap);
  for (auto op : {"_Retval", "_DeviceRetval"}) kernels.Add<Retval>(op, device, {}, kCheap);
  kernels.Add<Assert>("Assert", device, {}, HostMemory{"condition", "data"}, kCheap);
  kernels.Add<EnsureShape>("EnsureShape", device, {}, kCheap);

  if (device != kCpu) {  // the CPU has its own, which copy; what is left looks at values
    for (auto op : {"Snapshot", "DeepCopy"}) kernels.Add<Forward>(op, device, {}, kCheap);
    return;
  }
  kernels.Add<Abort>("Abort", device, {}, kCheap);
  kernels.Add<Print>("Print", device);
  kernels.Add<PrintV2>("PrintV2", device);
  kernels.Add<CheckNumerics>("CheckNumerics", device, {{"T", kFloating}});
  kernels.Add<Timestamp>("Timestamp", device, {}, kCheap);
}

}  // namespace sluice::kernels
