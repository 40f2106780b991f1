// UnicodeScript: the script of every code point.
#include "core/kernel_registry.h"
#include "kernels/any/unicode_scripts.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

struct UnicodeScript {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor points = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, points.shape()));
    const auto from = points.flat<int32_t>();
    std::transform(from.begin(), from.end(), out->mutable_data<int32_t>(), ScriptOf);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterUnicodeScript(KernelRegistry& kernels) {
  kernels.Add<UnicodeScript>("UnicodeScript", kCpu);
}

}  // namespace sluice::kernels
