// SPDX-License-Identifier: Apache-2.0
// SaveV2, RestoreV2, MergeV2Checkpoints, and the names of sharded files.
#include "kernels/any/io/checkpoint.h"
#include "absl/strings/str_format.h"
#include "core/io/checkpoint/bundle_reader.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/file.h"
#include "kernels/any/io/register.h"

namespace sluice::kernels {
namespace {

// The information of inputs 1 and 2 about each tensor.
struct Named {
  absl::Span<const std::string> names, parts;

  static absl::StatusOr<Named> Of(const KernelContext& ctx, int tensors, bool saving) {
    const Tensor &names = ctx.input(1), &parts = ctx.input(2);
    if (names.rank() != 1 || parts.rank() != 1) {
      return InvalidArgument("Input tensor_names and shape_and_slices should be an 1-D tensors, ",
                             "got ", names.shape(), " and ", parts.shape(), " instead.");
    }
    if (names.dim(0) != tensors) {
      return InvalidArgument("Got ", names.dim(0), " tensor names", saving ? " but " : ", but ",
                             tensors, saving ? " tensors." : " expected dtypes.");
    }
    if (!(names.shape() == parts.shape())) {
      return InvalidArgument(
          "tensor_names and shape_and_slices have different number of elements: ", names.dim(0),
          " vs. ", parts.dim(0));
    }
    return Named{names.flat<std::string>(), parts.flat<std::string>()};
  }
};

struct SaveV2 {
  absl::Status Run(KernelContext& ctx) const {
    const int tensors = ctx.num_inputs() - 3;
    SLUICE_ASSIGN(const std::string prefix, StringScalar(ctx.input(0), "prefix"));
    SLUICE_ASSIGN(const Named named, Named::Of(ctx, tensors, true));
    const auto names = named.names, parts = named.parts;
    SLUICE_ASSIGN(const std::unique_ptr<BundleWriter> writer, BundleWriter::Create(prefix));
    for (int i = 0; i < tensors; ++i) {
      const Tensor& tensor = ctx.input(3 + i);
      if (parts[i].empty()) {
        SLUICE_RETURN_IF_ERROR(writer->Add(names[i], tensor));
        continue;
      }
      SLUICE_ASSIGN(const ShapeAndSlice part, PartOf(parts[i], tensor));
      SLUICE_RETURN_IF_ERROR(writer->AddSlice(names[i], part, tensor));
    }
    return writer->Commit();
  }
};

struct MergeV2Checkpoints {
  bool delete_old_folders, allow_missing;

  static absl::StatusOr<MergeV2Checkpoints> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool delete_old, node.Get<bool>("delete_old_dirs"));
    return MergeV2Checkpoints{delete_old, GetAttrOr(node.attrs, "allow_missing_files", false)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& sources = ctx.input(0);
    if (sources.rank() != 1) {
      return InvalidArgument("Input checkpoint_prefixes should be an 1-D tensor, got ",
                             sources.shape(), " instead.");
    }
    SLUICE_ASSIGN(const std::string to, StringScalar(ctx.input(1), "destination_prefix"));
    SLUICE_RETURN_IF_ERROR(MergeBundles(sources.flat<std::string>(), to, allow_missing));
    if (!delete_old_folders) return absl::OkStatus();
    const std::string kept = FolderOf(to);
    for (const std::string& prefix : sources.flat<std::string>()) {
      // Removes the first folder if it is empty; files of others keep it.
      if (FolderOf(prefix) != kept) RemoveEmptyFolder(FolderOf(prefix)).IgnoreError();
    }
    return absl::OkStatus();
  }

  static std::string FolderOf(const std::string& path) {
    return path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
};

// Reads from a bundle; if there is none, from an older checkpoint with that name.
struct RestoreV2 {
  absl::Status Run(KernelContext& ctx) const {
    const int tensors = ctx.num_outputs();
    SLUICE_ASSIGN(const std::string prefix, StringScalar(ctx.input(0), "prefix"));
    SLUICE_ASSIGN(const Named named, Named::Of(ctx, tensors, false));
    const auto names = named.names, parts = named.parts;
    SLUICE_ASSIGN(const bool is_bundle, FileExists(BundleIndexFile(prefix)));
    if (!is_bundle) return RestoreOlder(ctx, prefix, names, parts);
    SLUICE_ASSIGN(const std::unique_ptr<BundleReader> reader, BundleReader::Open(prefix));
    // Reads in the order of the index.
    std::vector<int> order(tensors);
    for (int i = 0; i < tensors; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](int a, int b) { return names[a] < names[b]; });
    for (const int i : order) {
      SLUICE_ASSIGN(Tensor tensor, Read(*reader, names[i], parts[i], ctx.output_type(i)));
      ctx.SetOutput(i, std::move(tensor));
    }
    return absl::OkStatus();
  }

  static absl::Status RestoreOlder(KernelContext& ctx, const std::string& prefix,
                                   absl::Span<const std::string> names,
                                   absl::Span<const std::string> parts) {
    SLUICE_ASSIGN(const std::unique_ptr<V1Reader> reader, V1Reader::Open(prefix));
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      SLUICE_ASSIGN(Tensor tensor, ReadOlder(*reader, names[i], parts[i], ctx.output_type(i)));
      ctx.SetOutput(i, std::move(tensor));
    }
    return absl::OkStatus();
  }

  static absl::StatusOr<Tensor> Read(BundleReader& reader, const std::string& name,
                                     const std::string& part, DType dtype) {
    SLUICE_ASSIGN(const BundleReader::Stored stored, reader.Find(name));
    if (stored.dtype != dtype) {
      return InvalidArgument("tensor_name = ", name, "; expected dtype ", dtype,
                             " does not equal original dtype ", stored.dtype);
    }
    if (part.empty()) return reader.Read(name, stored);
    SLUICE_ASSIGN(const ShapeAndSlice wanted, ShapeAndSlice::Parse(part));
    if (!(wanted.shape == stored.shape)) {
      return InvalidArgument("tensor_name = ", name, "; shape in shape_and_slice spec ",
                             wanted.shape,
                             " does not match the shape stored in checkpoint: ", stored.shape);
    }
    return reader.ReadSlice(name, stored, wanted.slice);
  }
};

absl::Status CheckScalar(const Tensor& tensor, absl::string_view input) {
  if (tensor.rank() == 0) return absl::OkStatus();
  return InvalidArgument(input, " must be a scalar, got shape ", tensor.shape());
}

// The number of a shard, or the number of shards.
absl::StatusOr<int64_t> ShardScalar(const Tensor& tensor, absl::string_view input) {
  SLUICE_RETURN_IF_ERROR(CheckScalar(tensor, input));
  return IntScalar(tensor);
}

struct ShardedFilename {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckScalar(ctx.input(0), "basename"));
    const auto& base = ctx.input(0).scalar<std::string>();
    SLUICE_ASSIGN(const int64_t shard, ShardScalar(ctx.input(1), "shard"));
    SLUICE_ASSIGN(const int64_t shards, ShardScalar(ctx.input(2), "num_shards"));
    ctx.SetOutput(
        0, Tensor::Scalar<std::string>(absl::StrFormat("%s-%05d-of-%05d", base, shard, shards)));
    return absl::OkStatus();
  }
};

struct ShardedFilespec {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckScalar(ctx.input(0), "basename"));
    const auto& base = ctx.input(0).scalar<std::string>();
    SLUICE_ASSIGN(const int64_t shards, ShardScalar(ctx.input(1), "num_shards"));
    ctx.SetOutput(
        0, Tensor::Scalar<std::string>(absl::StrFormat("%s-\?\?\?\?\?-of-%05d", base, shards)));
    return absl::OkStatus();
  }
};

}  // namespace

absl::StatusOr<std::string> StringScalar(const Tensor& tensor, absl::string_view input) {
  if (tensor.num_elements() == 1) return tensor.scalar<std::string>();
  return InvalidArgument("Input ", input, " should be a scalar tensor, got ", tensor.shape(),
                         " instead.");
}

absl::StatusOr<ShapeAndSlice> PartOf(const std::string& text, const Tensor& tensor) {
  SLUICE_ASSIGN(ShapeAndSlice part, ShapeAndSlice::Parse(text));
  if (part.slice_shape == tensor.shape()) return part;
  return InvalidArgument("Slice in shape_and_slice specification does not match the shape of the ",
                         "tensor to  save: ", text, ", tensor: ", tensor.shape());
}

absl::StatusOr<Tensor> ReadOlder(const V1Reader& reader, const std::string& name,
                                 const std::string& part, DType dtype) {
  SLUICE_ASSIGN(const V1Reader::Stored* stored, reader.Find(name));
  if (stored->dtype != dtype) {
    return InvalidArgument("Expected to restore a tensor of type ", dtype,
                           ", got a tensor of type ", stored->dtype,
                           " instead: tensor_name = ", name);
  }
  if (part.empty()) {
    return reader.ReadSlice(name, *stored, TensorSlice::Whole(stored->shape.rank()));
  }
  SLUICE_ASSIGN(const ShapeAndSlice wanted, ShapeAndSlice::Parse(part));
  if (!(wanted.shape == stored->shape)) {
    return InvalidArgument("Shape in shape_and_slice spec does not match the shape in the save ",
                           "file: ", wanted.shape, ", save file shape: ", stored->shape);
  }
  return reader.ReadSlice(name, *stored, wanted.slice);
}

void RegisterCheckpoints(KernelRegistry& kernels) {
  kernels.Add<SaveV2>("SaveV2", kCpu);
  kernels.Add<RestoreV2>("RestoreV2", kCpu);
  kernels.Add<MergeV2Checkpoints>("MergeV2Checkpoints", kCpu);
  kernels.Add<ShardedFilename>("ShardedFilename", kCpu, {}, kCheap);
  kernels.Add<ShardedFilespec>("ShardedFilespec", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
