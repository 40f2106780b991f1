// SPDX-License-Identifier: Apache-2.0
// Assertions and printed messages: Assert, Print, PrintV2, CheckNumerics, Timestamp.
#include <cmath>
#include <cstdio>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/io/file.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/debug/register.h"
#include "kernels/common/math/numerics_error.h"
#include "kernels/common/summarize.h"

namespace sluice::kernels {
namespace {

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

// The number of times that a node has printed, in all steps.
struct Countdown {
  explicit Countdown(int64_t first_n) : left(first_n) {}
  absl::Mutex mu;
  int64_t left ABSL_GUARDED_BY(mu);  // negative: no limit

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
  bool signs;  // V2: an error tells the signs of infinities

  static absl::StatusOr<CheckNumerics> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string message, node.Get<std::string>("message"));
    return CheckNumerics{std::move(message), node.op == "CheckNumericsV2"};
  }
  absl::Status Run(KernelContext& ctx) const {
    bool nan = false, inf = false, minus_inf = false;
    SLUICE_RETURN_IF_ERROR(
        VisitDType(FloatingTypes{}, ctx.input(0).dtype(), [&]<typename T>(Type<T>) {
          for (const T& value : ctx.input(0).flat<T>()) {
            const auto v = static_cast<ComputeType<T>>(value);
            nan |= std::isnan(v);
            inf |= std::isinf(v) && !(signs && v < 0);
            minus_inf |= signs && std::isinf(v) && v < 0;
          }
          return absl::OkStatus();
        }));
    SLUICE_RETURN_IF_ERROR(signs ? SignedError(nan, inf, minus_inf)
                                 : NumericsError(message, nan, inf));
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }

 private:
  absl::Status SignedError(bool nan, bool inf, bool minus_inf) const {
    std::vector<absl::string_view> found;
    if (minus_inf) found.push_back("-Inf");
    if (inf) found.push_back("+Inf");
    if (nan) found.push_back("NaN");
    if (found.empty()) return absl::OkStatus();
    const bool all = found.size() == 3;
    return InvalidArgument(message, " : Tensor had ",
                           all ? "-Inf, +Inf, and NaN" : absl::StrJoin(found, " and "), " values");
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

void RegisterMessages(KernelRegistry& kernels, absl::string_view device) {
  kernels.Add<Assert>("Assert", device, {}, HostMemory{"condition", "data"}, kCheap);
  if (device != kCpu) return;  // the other ops read values
  kernels.Add<Print>("Print", device);
  kernels.Add<PrintV2>("PrintV2", device);
  for (auto op : {"CheckNumerics", "CheckNumericsV2"})
    kernels.Add<CheckNumerics>(op, device, {{"T", kFloating}});
  kernels.Add<Timestamp>("Timestamp", device, {}, kCheap);
}

}  // namespace sluice::kernels
