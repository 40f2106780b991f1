// SPDX-License-Identifier: Apache-2.0
// The ops that TensorFlow's debugger adds to watched tensors: Copy, DebugIdentity, DebugNanCount,
// DebugNumericSummary. A reference to a variable without a value arrives as a tensor without a
// buffer.
#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "core/io/debug_dump.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/debug/register.h"

namespace sluice::kernels {
namespace {

constexpr DTypeSet kCounted =
    DTypeSet{kHalf, kBfloat16, kFloat, kDouble} | kSigned | DTypeSet{kUint8, kUint16};
constexpr DTypeSet kSummarized =
    DTypeSet{kFloat, kDouble, kBool} | kSigned | DTypeSet{kUint8, kUint16};
using CountedTypes = TypeList<Half, Bfloat16, float, double, int8_t, int16_t, int32_t, int64_t,
                              uint8_t, uint16_t, bool>;

bool IsInitialized(const Tensor& value) {
  return value.raw() != nullptr || value.num_elements() == 0;
}

// A snapshot of the value, independent of later writes to its variable.
struct DebuggersCopy {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& value = ctx.input(0);
    if (!IsInitialized(value)) {
      ctx.SetOutput(0, value);
      return absl::OkStatus();
    }
    const bool shared = !IsPlain(value.dtype()) || (value.buffer() && value.buffer()->guard());
    SLUICE_ASSIGN(Tensor copy, shared ? value.Snapshot() : value.Copy());
    ctx.SetOutput(0, std::move(copy));
    return absl::OkStatus();
  }
};

// The destination of a debug op's result.
struct Dump {
  DebugKey key;
  std::vector<std::string> urls;

  static absl::StatusOr<Dump> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const std::string tensor, node.Get<std::string>("tensor_name"));
    Dump dump;
    dump.key.op = node.op;
    dump.key.node = tensor;
    if (const size_t colon = tensor.find(':'); colon != std::string::npos) {
      dump.key.node = tensor.substr(0, colon);
      if (!absl::SimpleAtoi(tensor.substr(colon + 1), &dump.key.output))
        return InvalidArgument("Failed to parse tensor name: \"", tensor, "\"");
    }
    SLUICE_ASSIGN(dump.key.device, node.Get<std::string>("device_name"));
    SLUICE_ASSIGN(dump.urls, node.Get<std::vector<std::string>>("debug_urls"));
    for (const std::string& url : dump.urls) {
      if (!absl::StartsWith(url, "file://"))
        return Unimplemented("debug URL \"", url, "\": dumps are written to files only");
    }
    return dump;
  }
  absl::Status Write(const Tensor& value) const { return DumpDebugTensor(key, value, urls); }
};

struct DebugIdentity {
  Dump dump;

  static absl::StatusOr<DebugIdentity> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Dump dump, Dump::Create(node));
    return DebugIdentity{std::move(dump)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor value, ctx.input(0).Snapshot());
    SLUICE_RETURN_IF_ERROR(dump.Write(value));
    ctx.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
};

struct DebugNanCount {
  Dump dump;

  static absl::StatusOr<DebugNanCount> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Dump dump, Dump::Create(node));
    return DebugNanCount{std::move(dump)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& value = ctx.input(0);
    int64_t count = 0;
    SLUICE_RETURN_IF_ERROR(VisitDType(CountedTypes{}, value.dtype(), [&]<typename T>(Type<T>) {
      if (!IsInitialized(value)) return absl::OkStatus();
      for (const T& x : value.flat<T>()) count += std::isnan(static_cast<double>(x)) ? 1 : 0;
      return absl::OkStatus();
    }));
    const Tensor found = Tensor::Vector<int64_t>({count});
    SLUICE_RETURN_IF_ERROR(dump.Write(found));
    ctx.SetOutput(0, found);
    return absl::OkStatus();
  }
};

// Values beyond the bounds count as infinite. Smallest, largest, mean and variance are over all
// finite values.
struct NumericSummary {
  double lower, upper;
  int64_t elements = 0, nans = 0, minus_infinities = 0, negatives = 0, zeros = 0, positives = 0,
          infinities = 0, finite = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double mean = std::numeric_limits<double>::quiet_NaN();
  double variance = std::numeric_limits<double>::quiet_NaN();

  void Count(double x) {
    ++elements;
    if (std::isnan(x)) {
      ++nans;
    } else if (x == -INFINITY || (std::isfinite(lower) && x <= lower)) {
      ++minus_infinities;
    } else if (x == INFINITY || (std::isfinite(upper) && x >= upper)) {
      ++infinities;
    } else {
      ++(x < 0 ? negatives : x > 0 ? positives : zeros);
    }
  }
  template <typename T>
  void Add(absl::Span<const T> values) {
    double sum = 0;
    for (const T& value : values) {
      const auto x = static_cast<double>(value);
      Count(x);
      if (!std::isfinite(x)) continue;
      ++finite;
      sum += x;
      smallest = std::min(smallest, x);
      largest = std::max(largest, x);
    }
    if (finite == 0) return;
    mean = sum / static_cast<double>(finite);
    double squares = 0;
    for (const T& value : values) {
      const auto x = static_cast<double>(value);
      if (std::isfinite(x)) squares += (x - mean) * (x - mean);
    }
    variance = squares / static_cast<double>(finite);
  }
  bool healthy() const { return nans == 0 && minus_infinities == 0 && infinities == 0; }
  Tensor ToTensor(const Tensor& of) const {
    std::vector<double> all = {IsInitialized(of) ? 1.0 : 0.0};
    for (int64_t count :
         {elements, nans, minus_infinities, negatives, zeros, positives, infinities})
      all.push_back(static_cast<double>(count));
    all.insert(all.end(), {smallest, largest, mean, variance, static_cast<double>(of.dtype()),
                           static_cast<double>(of.rank())});
    for (int i = 0; i < of.rank(); ++i) all.push_back(static_cast<double>(of.dim(i)));
    return Tensor::Vector<double>(all);
  }
};

struct DebugNumericSummary {
  Dump dump;
  float lower, upper;
  bool mute_if_healthy;

  static absl::StatusOr<DebugNumericSummary> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Dump dump, Dump::Create(node));
    SLUICE_ASSIGN(const float lower, node.Get<float>("lower_bound"));
    SLUICE_ASSIGN(const float upper, node.Get<float>("upper_bound"));
    SLUICE_ASSIGN(const bool mute, node.Get<bool>("mute_if_healthy"));
    return DebugNumericSummary{std::move(dump), lower, upper, mute};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& value = ctx.input(0);
    NumericSummary summary{lower, upper};
    SLUICE_RETURN_IF_ERROR(VisitDType(CountedTypes{}, value.dtype(), [&]<typename T>(Type<T>) {
      if (IsInitialized(value)) summary.Add(value.flat<T>());
      return absl::OkStatus();
    }));
    const Tensor found = summary.ToTensor(value);
    if (!mute_if_healthy || !summary.healthy()) SLUICE_RETURN_IF_ERROR(dump.Write(found));
    ctx.SetOutput(0, found);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterDebugOps(KernelRegistry& kernels) {
  for (auto op : {"Copy", "CopyHost"}) kernels.Add<DebuggersCopy>(op, kCpu, {});
  kernels.Add<DebugIdentity>("DebugIdentity", kCpu);
  kernels.Add<DebugNanCount>("DebugNanCount", kCpu, {{"T", kCounted}});
  kernels.Add<DebugNumericSummary>("DebugNumericSummary", kCpu, {{"T", kSummarized}});
}

}  // namespace sluice::kernels
