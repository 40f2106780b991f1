// SPDX-License-Identifier: Apache-2.0
// Save, SaveSlices, Restore, RestoreSlice: checkpoints of the older format.
#include "kernels/any/io/checkpoint.h"
#include "kernels/any/io/register.h"

namespace sluice::kernels {
namespace {

struct Save {
  bool slices;  // the third input gives the parts that the tensors are

  static absl::StatusOr<Save> Create(const NodeSpec& node) { return Save{node.op == "SaveSlices"}; }

  absl::Status Run(KernelContext& ctx) const {
    const int first = slices ? 3 : 2, tensors = ctx.num_inputs() - first;
    SLUICE_ASSIGN(const std::string path, StringScalar(ctx.input(0), "filename"));
    const absl::Span<const std::string> names = ctx.input(1).flat<std::string>();
    if (static_cast<int>(names.size()) != tensors) {
      return InvalidArgument("Expected totally ", names.size() + first, " inputs as input #1 ",
                             "(which is a string tensor of saved names) contains ", names.size(),
                             " names, but received ", ctx.num_inputs(), " inputs");
    }
    absl::Span<const std::string> parts;
    if (slices) parts = ctx.input(2).flat<std::string>();
    if (slices && parts.size() != names.size()) {
      return InvalidArgument("Expected ", names.size(), " elements for the tensor shapes and ",
                             "slices but got ", parts.size());
    }
    V1Writer writer(path);
    for (int i = 0; i < tensors; ++i) {
      const Tensor& tensor = ctx.input(first + i);
      ShapeAndSlice part{tensor.shape(), tensor.shape(), TensorSlice::Whole(tensor.rank())};
      if (slices && !parts[i].empty()) {
        SLUICE_ASSIGN(part, PartOf(parts[i], tensor));
      }
      SLUICE_RETURN_IF_ERROR(writer.AddSlice(names[i], part, tensor));
    }
    return writer.Commit();
  }
};

struct Restore {
  bool slice;  // the third input gives the part

  static absl::StatusOr<Restore> Create(const NodeSpec& node) {
    return Restore{node.op == "RestoreSlice"};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string pattern, StringScalar(ctx.input(0), "file_pattern"));
    SLUICE_ASSIGN(const std::string name, StringScalar(ctx.input(1), "tensor_name"));
    std::string part;
    if (slice) {
      SLUICE_ASSIGN(part, StringScalar(ctx.input(2), "shape_and_slice"));
    }
    SLUICE_ASSIGN(const std::unique_ptr<V1Reader> reader, V1Reader::Open(pattern));
    SLUICE_ASSIGN(Tensor tensor, ReadOlder(*reader, name, part, ctx.output_type(0)));
    ctx.SetOutput(0, std::move(tensor));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterOlderCheckpoints(KernelRegistry& kernels) {
  kernels.Add<Save>("Save", kCpu);
  kernels.Add<Save>("SaveSlices", kCpu);
  kernels.Add<Restore>("Restore", kCpu);
  kernels.Add<Restore>("RestoreSlice", kCpu);
}

}  // namespace sluice::kernels
