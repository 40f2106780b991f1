// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_RUN_IN_STEP_H_
#define SLUICE_KERNELS_COMMON_DATASET_RUN_IN_STEP_H_

#include <memory>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// A run through a data set within one step. The step's cancellation ends its waits.
struct RunInStep {
  explicit RunInStep(KernelContext& ctx)
      : step(ctx.cancel()), state(std::make_shared<RunState>()), running{state.get(), {}} {
    registered =
        step.Register([kept = state](const absl::Status& why) { kept->cancel.Cancel(why); });
    if (registered == 0) state->cancel.Cancel(step.status());
  }
  ~RunInStep() {
    if (registered != 0) step.Deregister(registered);
  }
  RunInStep(const RunInStep&) = delete;
  RunInStep& operator=(const RunInStep&) = delete;

  CancelToken& step;
  const std::shared_ptr<RunState> state;  // the callback may outlive this
  const Running running;
  int64_t registered = 0;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_RUN_IN_STEP_H_
