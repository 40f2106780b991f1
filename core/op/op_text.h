// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_OP_TEXT_H_
#define SLUICE_CORE_OP_OP_TEXT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/op/op_def.h"

// The notation of the interfaces of ops in graph/ops/*.ops: one block per op.
//
//   op ConcatV2(values: N*T, axis: Tidx) -> output: T                       # a comment
//     N: int >= 2
//     T: type
//     Tidx: {int32 int64} = int32
//
//   header      op Name(arg, ...) -> arg
//               Brackets enclose several outputs. An op without outputs has no arrow. The traits of
//               OpDef follow: stateful, commutative, aggregate, allows_uninitialized, random,
//               no_side_effect, shape_only, dataset, session_tensors, debug, follows_1x,
//               deprecated(version), kind(switch) and fused(bias, _FusedConv2D).
//   arg         name: T            one tensor; T is an attribute of type `type`, or a dtype
//               name: N*T          as many tensors as the int N
//               name: Ref(T)       a reference; also N*Ref(T)
//               name: list(T)      one tensor for each entry of T, an attribute of type list(type)
//   attribute   name: type >= minimum = default
//               An indented line. Minimum and default may be absent. The minimum of a list is one
//               of its length. A node must set an attribute without default.
//   type        string int float bool type shape tensor func; list(...) of one of these
//               {float int32}      one of these dtypes; numbers, reals and floats are whole sets
//               {"SAME" "VALID"}   one of these strings; also list({...})
//   value       "text\n"   -1   0.5   true   int32   Fn{T: type = float}
//               [2, ?]             a shape; ? alone is an unknown rank
//               tensor(uint8, [2], [1, 2])
//               Lists are in square brackets.
//   property    differs = words
//               An indented line: how the op's results differ from TensorFlow's. The equals sign
//               distinguishes it from an attribute, which may have the same name.
//
// A block begins in the first column; its other lines are indented. Between brackets of any kind a
// line may continue.

namespace sluice {

// The ops of one text. `file` is for errors: INVALID_ARGUMENT, "math.ops:12: ...".
absl::StatusOr<std::vector<OpDef>> ParseOps(absl::string_view file, absl::string_view text);

// One block, without wrapping its header. ParseOps returns the same OpDef. An attribute without a
// type in a function value (a placeholder) is printed only for readers.
std::string ToText(const OpDef& op);

}  // namespace sluice

#endif  // SLUICE_CORE_OP_OP_TEXT_H_
