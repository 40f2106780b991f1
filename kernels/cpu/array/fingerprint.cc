// SPDX-License-Identifier: Apache-2.0
// Fingerprint: a hash of each row of a tensor.
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/string_hash.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

// The result has eight bytes for each row.
struct Fingerprint {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &data = ctx.input(0), &method = ctx.input(1);
    if (method.rank() != 0)
      return InvalidArgument("`method` should be a scalar string: ", method.shape());
    if (method.scalar<std::string>() != "farmhash64") {
      return InvalidArgument("Unsupported fingerprint method: ", method.scalar<std::string>());
    }
    if (data.rank() < 1)
      return InvalidArgument("`data` should have at least one dimension, received ", data.shape());
    const int64_t rows = data.dim(0), row = rows == 0 ? 0 : data.num_elements() / rows;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{rows, 8}));
    uint8_t* to = out->mutable_data<uint8_t>();
    const auto put = [&](int64_t i, uint64_t hash) {
      for (int byte = 0; byte < 8; ++byte)
        to[8 * i + byte] = static_cast<uint8_t>(hash >> (8 * byte));
    };
    if (data.dtype() == kString) {
      for (const int64_t i : Cancellable(rows))
        put(i, OfStrings(data.data<std::string>() + i * row, row));
      return absl::OkStatus();
    }
    if (!IsPlain(data.dtype())) return InvalidArgument("no fingerprint of ", data.dtype());
    const size_t bytes = static_cast<size_t>(row) * SizeOf(data.dtype());
    for (const int64_t i : Cancellable(rows)) {
      const char* from = static_cast<const char*>(data.raw()) + static_cast<size_t>(i) * bytes;
      put(i, FarmFingerprint64(absl::string_view(from, bytes)));
    }
    return absl::OkStatus();
  }

 private:
  // For several strings: the fingerprint of their fingerprints.
  static uint64_t OfStrings(const std::string* strings, int64_t n) {
    if (n == 1) return FarmFingerprint64(strings[0]);
    std::string all;
    for (const int64_t i : Cancellable(n)) {
      const uint64_t hash = FarmFingerprint64(strings[i]);
      for (int byte = 0; byte < 8; ++byte) all.push_back(static_cast<char>(hash >> (8 * byte)));
    }
    return FarmFingerprint64(all);
  }
};

}  // namespace

void RegisterFingerprint(KernelRegistry& kernels) { kernels.Add<Fingerprint>("Fingerprint", kCpu); }

}  // namespace sluice::kernels
