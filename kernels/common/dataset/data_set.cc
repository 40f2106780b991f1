// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/data_set.h"

#include "absl/hash/hash.h"
#include "core/codec/codec.h"
#include "kernels/common/dataset/held_elements.h"
#include "kernels/common/primitives.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

constexpr char kRepeatsPayload[] = "sluice/repeats";

// A stage whose elements have the types that its data set states.
class Typed final : public Stage {
 public:
  Typed(std::unique_ptr<Stage> stage, const ElementSpec& spec)
      : stage_(std::move(stage)), spec_(spec) {}
  absl::StatusOr<bool> Next(Element& element) override {
    absl::StatusOr<bool> more = stage_->Next(element);
    if (!more.ok() || !*more) return more;
    SLUICE_RETURN_IF_ERROR(spec_.AcceptsTypes(element));
    return more;
  }
  bool Ready() const override { return stage_->Ready(); }
  absl::Status SaveOrRestore(SavedState& state) override { return stage_->SaveOrRestore(state); }

 private:
  const std::unique_ptr<Stage> stage_;
  const ElementSpec& spec_;  // of the data set, which the run keeps
};

}  // namespace

absl::Status MarkRepeating(absl::Status status) {
  if (!status.ok()) status.SetPayload(kRepeatsPayload, absl::Cord());
  return status;
}

bool Repeats(const absl::Status& status) { return status.GetPayload(kRepeatsPayload).has_value(); }

absl::Status Stage::SaveOrRestore(SavedState&) {
  return Unimplemented("the position in this data set cannot be saved");
}

absl::StatusOr<std::unique_ptr<Stage>> DataSet::Begin(const Running& next, uint64_t branch) const {
  Running here = next;
  if (here.state->root == nullptr) here.state->root = this;
  here.place = absl::HashOf(next.place, branch);
  SLUICE_ASSIGN(auto stage, BeginAt(here));
  return std::make_unique<Typed>(std::move(stage), spec_);
}

absl::StatusOr<ElementSpec> ElementSpec::Create(const NodeSpec& node) {
  const bool given = node.attrs.contains("output_types");
  ElementSpec spec;
  SLUICE_ASSIGN(spec.types, node.Get<std::vector<DType>>(given ? "output_types" : "Toutput_types"));
  SLUICE_ASSIGN(spec.shapes, node.Get<std::vector<PartialShape>>("output_shapes"));
  if (spec.shapes.size() != spec.types.size()) {
    return InvalidArgument("output_types and output_shapes must be same length, got:\n",
                           "output_types: ", spec.types.size(),
                           "\noutput_shapes: ", spec.shapes.size());
  }
  return spec;
}

namespace {

absl::Status OtherCount(size_t expected, size_t got) {
  return InvalidArgument("Number of components does not match: expected ", expected,
                         " types but got ", got, ".");
}
absl::Status OtherType(size_t i, DType expected, DType got) {
  return InvalidArgument("Data type mismatch at component ", i, ": expected ", expected,
                         " but got ", got, ".");
}
template <typename S>
absl::Status OtherShape(size_t i, const PartialShape& expected, const S& got) {
  return InvalidArgument("Incompatible shapes at component ", i, ": expected ", expected,
                         " but got ", got, ".");
}

}  // namespace

absl::Status ElementSpec::Accepts(const ElementSpec& given) const {
  if (given.types.size() != types.size()) return OtherCount(types.size(), given.types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    if (given.types[i] != types[i]) return OtherType(i, types[i], given.types[i]);
    if (!shapes[i].CompatibleWith(given.shapes[i]))
      return OtherShape(i, shapes[i], given.shapes[i]);
  }
  return absl::OkStatus();
}

absl::Status ElementSpec::AcceptsTypes(const Element& element) const {
  if (element.size() != types.size()) return OtherCount(types.size(), element.size());
  for (size_t i = 0; i < types.size(); ++i)
    if (element[i].dtype() != types[i]) return OtherType(i, types[i], element[i].dtype());
  return absl::OkStatus();
}

absl::Status ElementSpec::AcceptsElement(const Element& element) const {
  SLUICE_RETURN_IF_ERROR(AcceptsTypes(element));
  for (size_t i = 0; i < types.size(); ++i) {
    if (!shapes[i].CompatibleWith(element[i].shape())) {
      return OtherShape(i, shapes[i], element[i].shape());
    }
  }
  return absl::OkStatus();
}

absl::Status DataSet::Encode(std::string*, std::vector<Tensor>*) const {
  return Unimplemented(
      "a data set cannot be sent to another process or fetched: make its iterator "
      "on the device of the data set");
}

const DataSet* DataSetIn(const Tensor& tensor) {
  if (tensor.dtype() != kVariant || tensor.rank() != 0) return nullptr;
  return tensor.scalar<Variant>().get_if<DataSet>();
}

namespace {

// The data set in a scalar variant; null if there is none. One that came from another process, or
// from a file, is decoded once.
absl::StatusOr<RefPtr<const DataSet>> Decoded(const Tensor& tensor) {
  if (const auto* found = DataSetIn(tensor)) return RefPtr<const DataSet>(found);
  if (tensor.dtype() != kVariant || tensor.rank() != 0) return RefPtr<const DataSet>();
  const auto* opaque = tensor.scalar<Variant>().get_if<OpaqueVariant>();
  if (opaque == nullptr || opaque->type_name() != DataSet::kTypeName)
    return RefPtr<const DataSet>();
  SLUICE_ASSIGN(const Variant::Object* decoded, opaque->Decoded([](const OpaqueVariant& from) {
    return HeldElements::Decode(from.tensors());
  }));
  return RefPtr<const DataSet>(static_cast<const HeldElements*>(decoded));
}

}  // namespace

absl::StatusOr<RefPtr<const DataSet>> DataSetInput(const KernelContext& ctx, int i) {
  SLUICE_ASSIGN(RefPtr<const DataSet> found, Decoded(ctx.input(i)));
  if (found) return found;
  return InvalidArgument("Tensor must be a scalar of a Dataset variant.");
}

absl::StatusOr<RefPtr<const DataSet>> DataSetOf(const Element& results) {
  RefPtr<const DataSet> found;
  if (results.size() == 1) {
    SLUICE_ASSIGN(found, Decoded(results[0]));
  }
  if (found) return found;
  return InvalidArgument("Function must return a single scalar of dtype DT_VARIANT.");
}

absl::StatusOr<Element> KeptInputs(KernelContext& ctx, NodeSpec::Range inputs) {
  Element values;
  for (int i = inputs.begin; i < inputs.end; ++i) {
    SLUICE_ASSIGN(Tensor kept, Kept(ctx, CpuPrimitives(), ctx.input(i)));
    values.push_back(std::move(kept));
  }
  return values;
}

absl::Status SetElement(KernelContext& ctx, const ElementSpec& spec, Element element) {
  SLUICE_RETURN_IF_ERROR(spec.AcceptsElement(element));
  for (size_t i = 0; i < element.size(); ++i)
    ctx.SetOutput(static_cast<int>(i), std::move(element[i]));
  return absl::OkStatus();
}

void SetDataSet(KernelContext& ctx, RefPtr<const DataSet> made) {
  ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(std::move(made))));
}

}  // namespace sluice::kernels
