// SPDX-License-Identifier: Apache-2.0
// PyFunc, PyFuncStateless, EagerPyFunc: functions of the program that runs in this process.
#include "core/runtime/host_functions.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/functions/register.h"

namespace sluice::kernels {
namespace {

struct PyFunc {
  std::string token;
  std::vector<DType> results;

  static absl::StatusOr<PyFunc> Create(const NodeSpec& node) {
    return PyFunc{GetAttrOr<std::string>(node.attrs, "token", ""),
                  GetAttrOr<std::vector<DType>>(node.attrs, "Tout", {})};
  }
  void Start(KernelContext& ctx, Done done) const {
    HostFunctions* functions = ThisProcessHostFunctions();
    if (functions == nullptr) {
      return done(InvalidArgument("callback ", token,
                                  " is not found: Python functions live in the process of the "
                                  "client, and none runs on a server"));
    }
    HostFunctions::Call call{token, {}, results, {}};
    for (int i = 0; i < ctx.num_inputs(); ++i) call.args.push_back(ctx.input(i));
    call.done = [&ctx, done = std::move(done)](absl::StatusOr<std::vector<Tensor>> found) mutable {
      for (size_t i = 0; found.ok() && i < found->size(); ++i)
        ctx.SetOutput(static_cast<int>(i), std::move((*found)[i]));
      done(found.status());
    };
    functions->Start(std::move(call));
  }
};

}  // namespace

void RegisterPyFunc(KernelRegistry& kernels) {
  for (auto op : {"PyFunc", "PyFuncStateless", "EagerPyFunc"}) kernels.Add<PyFunc>(op, kCpu);
}

}  // namespace sluice::kernels
