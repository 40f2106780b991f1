// StringJoin: strings of equal shape (scalars repeat) joined element by element.
#include "core/kernel_registry.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

struct StringJoin {
  std::string separator;

  static absl::StatusOr<StringJoin> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string separator, node.Get<std::string>("separator"));
    return StringJoin{std::move(separator)};
  }

  absl::Status Run(KernelContext& ctx) const {
    Shape shape;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      const Shape& next = ctx.input(i).shape();
      if (next.rank() == 0) continue;
      if (shape.rank() != 0 && !(shape == next)) {
        return InvalidArgument("Input shapes do not match: ", shape, " vs. ", next);
      }
      shape = next;
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    std::vector<absl::string_view> pieces(ctx.num_inputs());
    for (int64_t e = 0; e < shape.num_elements(); ++e) {
      for (int i = 0; i < ctx.num_inputs(); ++i)
        pieces[i] = ctx.input(i).data<std::string>()[ctx.input(i).rank() == 0 ? 0 : e];
      out->mutable_data<std::string>()[e] = absl::StrJoin(pieces, separator);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterStringJoin(KernelRegistry& kernels) { kernels.Add<StringJoin>("StringJoin", kCpu); }

}  // namespace sluice::kernels
