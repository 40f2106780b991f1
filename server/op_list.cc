// SPDX-License-Identifier: Apache-2.0
#include "server/op_list.h"

#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "graph/all_ops.h"
#include "graph/gradients/gradients.h"
#include "kernels/register.h"
#include "server/absent_ops.h"

namespace sluice::server {
namespace {

// "T={float, double}" of every constrained attribute.
std::string Types(const KernelSignature& kernel) {
  return absl::StrJoin(kernel.types, " ", [](std::string* out, const TypeConstraint& type) {
    absl::StrAppend(out, type.attr, "=", type.allowed.ToString());
  });
}

std::map<std::string, std::vector<const KernelSignature*>> KernelsByOp() {
  std::map<std::string, std::vector<const KernelSignature*>> kernels;
  for (const KernelSignature& kernel : kernels::AllKernels()->table().signatures())
    kernels[kernel.op].push_back(&kernel);
  return kernels;
}

absl::string_view GradientOf(absl::string_view op) {
  switch (graph::GradientKindOf(op)) {
    case graph::GradientKind::kFunction:
      return "yes";
    case graph::GradientKind::kNone:
      return "none flows";
    case graph::GradientKind::kUnknown:
      return "";
  }
  return "";
}

// The dtypes of the kernels for one type of device; empty if there is none.
std::string TypesOn(absl::string_view device_type,
                    const std::vector<const KernelSignature*>& kernels) {
  std::vector<std::string> types;
  for (const KernelSignature* kernel : kernels) {
    if (kernel->device_type != device_type) continue;
    const std::string text = Types(*kernel);
    types.push_back(text.empty() ? "all" : absl::StrReplaceAll(text, {{"|", "\\|"}}));
  }
  return absl::StrJoin(types, "; ");
}

// The last run of the kernels on a GPU, from docs/gpu.json.
std::string GpuRun() {
  const absl::string_view run = SLUICE_GPU_RUN;
  if (!run.empty()) return absl::StrCat("Kernels for GPUs: last run on hardware ", run, ".");
  return "Kernels for GPUs: **never run on hardware**. They have run on a double of the CUDA "
         "runtime only\n(`tests/cuda_double/`). [gpu.md](gpu.md) says how to run them on a GPU.";
}

}  // namespace

std::string ListOps() {
  const auto kernels = KernelsByOp();
  std::string out;
  for (const OpDef& op : graph::AllOps().ops()) {
    const auto found = kernels.find(op.name);
    absl::StrAppend(&out, op.name, "\t");
    if (found == kernels.end()) {
      out += "no kernel";
    } else {
      absl::StrAppend(&out, absl::StrJoin(found->second, "; ", [](std::string* text, auto* kernel) {
        absl::StrAppend(text, kernel->device_type, kernel->types.empty() ? "" : " ",
                        Types(*kernel));
      }));
    }
    out += "\n";
  }
  return out;
}

std::string OpsAsMarkdown() {
  const auto kernels = KernelsByOp();
  std::string rows;
  std::vector<absl::string_view> without_kernel;
  int with_kernel = 0, with_gpu_kernel = 0;
  for (const OpDef& op : graph::AllOps().ops()) {
    const auto found = kernels.find(op.name);
    if (found == kernels.end()) {
      without_kernel.push_back(op.name);
      continue;
    }
    ++with_kernel;
    const std::string gpu = TypesOn(kGpu, found->second);
    with_gpu_kernel += gpu.empty() ? 0 : 1;
    absl::StrAppend(&rows, "| ", op.name, " | ", TypesOn(kCpu, found->second), " | ", gpu, " | ",
                    GradientOf(op.name), " | ", op.differs, " |\n");
  }
  return absl::StrCat(
      "# Ops with a kernel\n\n`sluice-server --op_page` prints this page; a test compares. ",
      with_kernel, " of the ", graph::AllOps().ops().size(),
      " ops that a graph can hold have a\nkernel, ", with_gpu_kernel,
      " of them for GPUs too. A step that needs another op fails with UNIMPLEMENTED and its name.\n"
      "`tests/interop/` compares the results of the CPU for these dtypes with TensorFlow's.\n\n",
      GpuRun(),
      "\n\nGradient: *yes* means that our clients differentiate the op; *none flows* is as in "
      "TensorFlow; if the column is empty,\na request for the gradient is an error that names the "
      "op. *all* stands for every dtype of the op.\n\n"
      "| op | dtypes on the CPU | on a GPU | gradient | differs from TensorFlow |\n"
      "|---|---|---|---|---|\n",
      rows, "\n## Ops without a kernel\n\n", ReasonsOf(without_kernel));
}

}  // namespace sluice::server
