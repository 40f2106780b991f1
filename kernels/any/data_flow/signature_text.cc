// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/data_flow/signature_text.h"

#include "absl/strings/str_join.h"

namespace sluice::kernels {
namespace {

std::string SignatureOf(const KernelContext& ctx, std::vector<DType> inputs,
                        const std::vector<DType>& outputs) {
  inputs.insert(inputs.begin(), ctx.input_is_ref(0) ? MakeRef(kString) : ctx.input(0).dtype());
  return Cat(TypeNames(inputs), "->", TypeNames(outputs));
}

absl::Status Mismatch(const std::string& have, const std::string& expected,
                      const Resource& resource) {
  return InvalidArgument("Signature mismatch, have: ", have, " expected: ", expected, " (of ",
                         resource, ")");
}

}  // namespace

std::string TypeNames(const std::vector<DType>& types) {
  return absl::StrJoin(types, ", ",
                       [](std::string* out, DType t) { absl::StrAppend(out, Name(t)); });
}

std::string ShapeNames(const std::vector<PartialShape>& shapes) {
  const auto append = [](std::string* out, const PartialShape& s) {
    absl::StrAppend(out, s.ToString());
  };
  return Cat("[", absl::StrJoin(shapes, ", ", append), "]");
}

absl::Status SignatureMismatch(const KernelContext& ctx, const std::vector<DType>& have,
                               const std::vector<DType>& expected, const Resource& resource) {
  return Mismatch(SignatureOf(ctx, have, {}), SignatureOf(ctx, expected, {}), resource);
}

absl::Status CheckSignature(const KernelContext& ctx, const std::vector<DType>& inputs,
                            const std::vector<DType>& outputs, const Resource& resource) {
  std::vector<DType> have_inputs, have_outputs;
  for (int i = 1; i < ctx.num_inputs(); ++i) have_inputs.push_back(ctx.input(i).dtype());
  for (int i = 0; i < ctx.num_outputs(); ++i) have_outputs.push_back(ctx.output_type(i));
  if (have_inputs == inputs && have_outputs == outputs) return absl::OkStatus();
  return Mismatch(SignatureOf(ctx, have_inputs, have_outputs), SignatureOf(ctx, inputs, outputs),
                  resource);
}

absl::Status CheckGiven(const KernelContext& ctx, const std::vector<DType>& expected,
                        const Resource& resource) {
  std::vector<DType> inputs;
  for (int i = 1; i < ctx.num_inputs(); ++i) inputs.push_back(ctx.input(i).dtype());
  return CheckSignature(ctx, inputs, expected, resource);
}

}  // namespace sluice::kernels
