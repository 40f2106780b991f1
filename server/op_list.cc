#include "server/op_list.h"

#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "graph/all_ops.h"
#include "graph/gradients/gradients.h"
#include "kernels/register.h"

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

// Where an answer is not TensorFlow's on purpose, and why.
struct Difference {
  absl::string_view op, what;
};
constexpr Difference kDifferences[] = {
    {"AllCandidateSampler", "a true class out of range is counted, as in 1.15; an error since 2.x"},
    {"BlockLSTM", "steps after seq_len_max are zeros; there they are memory as it was"},
    {"Conv2D", "takes groups, as in 2.x; UNIMPLEMENTED in 1.15"},
    {"Conv3D", "takes dilations, and NCDHW too"},
    {"CumulativeLogsumexp",
     "before the first element the lowest number, as in 1.15; -inf since 2.x"},
    {"DataFormatVecPermute", "takes the two spatial sizes alone too, as 2.x does"},
    {"Digamma", "NaN at 0, as in 2.x; infinite in 1.15"},
    {"EditDistance", "what is out of bounds is INVALID_ARGUMENT, not INTERNAL"},
    {"FixedUnigramCandidateSampler",
     "a true class out of range has the count 0, as in 1.15; an error since 2.x"},
    {"LoadAndRemapMatrix", "rows and columns outside the tensor are INVALID_ARGUMENT"},
    {"LogUniformCandidateSampler",
     "a true class out of range is counted, as in 1.15; an error since 2.x"},
    {"Mfcc", "at most 4096 bands: memory for more is no user's wish"},
    {"NonMaxSuppression", "boxes overlap as in 2.x; 1.15 counts halves otherwise"},
    {"Polygamma", "NaN at 0, as in 2.x; infinite in 1.15"},
    {"RandomPoissonV2", "draws in double whatever the rates' type, as 2.x does"},
    {"ResizeBilinear", "at most 2^26 pixels of an image"},
    {"ResourceStridedSliceAssign", "the value is repeated, as in 2.x; UNIMPLEMENTED in 1.15"},
    {"RestoreV2", "a slice outside the tensor is INVALID_ARGUMENT, not INTERNAL"},
    {"RecordInput",
     "files without a record are OUT_OF_RANGE, not a wait without end; an unknown compression_type "
     "is refused"},
    {"Rsqrt", "-inf at -0, by IEEE and as in 2.x"},
    {"SampleDistortedBoundingBox", "a call that failed took its numbers, as in 2.x; not in 1.15"},
    {"SampleDistortedBoundingBoxV2", "a call that failed took its numbers, as in 2.x; not in 1.15"},
    {"SaveV2", "folders that are missing are made, as in 2.x; 1.15 makes the last one"},
    {"Softmax", "a row with a NaN is all NaN, as in 1.15"},
    {"SparseSlice", "a slice without columns has no rows"},
    {"SplitV", "one output of size -1 is fine, as in 2.x"},
    {"StridedSliceAssign", "the value is repeated, as in 2.x; UNIMPLEMENTED in 1.15"},
    {"SymbolicGradient",
     "a body with loops of version 1 is refused: its way back needs frames that a body does not "
     "keep"},
    {"UniformCandidateSampler",
     "a true class out of range is counted, as in 1.15; an error since 2.x"},
    {"Unique", "half zeros of both signs are one value"},
};

// Ops of TensorFlow 1's core families without a kernel, and the reason.
constexpr Difference kAbsent[] = {
    {"Quantized...",
     "arithmetic of quantised numbers, which only tools for model conversion put into graphs; "
     "quantise and dequantise ops have kernels"},
};

std::string DifferenceOf(absl::string_view op) {
  for (const Difference& difference : kDifferences) {
    if (difference.op == op) return std::string(difference.what);
  }
  return "";
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
  std::string rows, absent;
  for (const Difference& op : kAbsent) absl::StrAppend(&absent, "* ", op.op, ": ", op.what, "\n");
  int with_kernel = 0;
  for (const OpDef& op : graph::AllOps().ops()) {
    const auto found = kernels.find(op.name);
    if (found == kernels.end()) continue;
    ++with_kernel;
    const std::string types = absl::StrJoin(
        found->second, "; ", [](std::string* text, auto* kernel) { *text += Types(*kernel); });
    absl::StrAppend(&rows, "| ", op.name, " | ", found->second.front()->device_type, " | ",
                    absl::StrReplaceAll(types, {{"|", "\\|"}}), " | ", GradientOf(op.name), " | ",
                    DifferenceOf(op.name), " |\n");
  }
  return absl::StrCat(
      "# Ops with a kernel\n\n`sluice-server --op_page` prints this page; a test compares. ",
      with_kernel, " of the ", graph::AllOps().ops().size(),
      " ops that a graph can hold have a\nkernel. A step that needs another op fails with "
      "UNIMPLEMENTED and its name. `tests/interop/` compares the results for\nthese dtypes with "
      "TensorFlow's.\n\nGradient: *yes* means that our clients differentiate the op; *none flows* "
      "is as in TensorFlow; if the column is empty,\na request for the gradient is an error that "
      "names the op.\n\n"
      "| op | devices | dtypes | gradient | differs from TensorFlow |\n|---|---|---|---|---|\n",
      rows,
      "\nOps without a kernel in the core families (array, math, nn, random, state, training, "
      "linalg, sparse, image, io, ...):\n\n",
      absent);
}

}  // namespace sluice::server
