// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_OP_DEF_H_
#define SLUICE_CORE_OP_OP_DEF_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/op/attr.h"
#include "core/tensor/dtype.h"

// An op's interface: the required form of its nodes. Plain data; core/op/op_text.h reads and prints
// it in our notation.

namespace sluice {

enum class AttrKind { kString, kInt, kFloat, kBool, kType, kShape, kTensor, kFunc };
absl::string_view Name(AttrKind kind);  // as TensorFlow spells it: "string", "int", ...

// The type of an attribute: a kind, or a list of that kind.
struct AttrType {
  AttrKind kind = AttrKind::kInt;
  bool list = false;

  static std::optional<AttrType> Parse(absl::string_view text);  // "int", "list(shape)"
  std::string ToString() const;
  bool operator==(const AttrType&) const = default;
};

// The type of a value; empty for a placeholder, an unset value, and a list without an element type.
std::optional<AttrType> TypeOf(const Attr& attr);

struct AttrDef {
  std::string name;
  AttrType type;
  std::optional<int64_t> minimum;            // of an int, or of the length of a list
  std::vector<DType> allowed_types;          // empty: any
  std::vector<std::string> allowed_strings;  // empty: any
  std::optional<Attr> default_value;         // if empty, a node must set it

  bool operator==(const AttrDef&) const = default;
};

// An input or output: one tensor, `number_attr` tensors of one type, or a list whose types are in
// an attribute.
struct ArgDef {
  std::string name;
  DType type = kInvalid;  // kInvalid: in type_attr or type_list_attr
  std::string type_attr;
  std::string number_attr;
  std::string type_list_attr;
  bool is_ref = false;

  bool operator==(const ArgDef&) const = default;
};

// The ops that the runtime treats specially; for all others (kCompute) it only runs the kernel. The
// notation writes `kind(switch)`.
enum class OpKind : uint8_t {
  kCompute,
  kNoOp,
  kControlTrigger,
  kConst,
  kPlaceholder,
  kVariable,        // a reference to its own memory
  kVariableHandle,  // a resource handle
  kIdentity,
  kForward,  // passes its input on, as Identity does
  kIdentityN,
  // Control flow; the Ref forms count as the plain forms.
  kSwitch,
  kSwitchN,
  kMerge,
  kEnter,
  kExit,
  kNextIteration,
  kLoopCond,
  // The ends of a graph: tensors that enter and leave it.
  kSend,
  kRecv,
  kArg,
  kRetval,
  // Ops that call functions, see IsFunctional.
  kCall,
  kRemoteCall,
  kIf,
  kCase,
  kWhile,
  kFor,
  kSymbolicGradient,
  // Ops of the debugger.
  kDebugCopy,   // passes its input on
  kDebugProbe,  // computes a property of it
  // Parts of a FusedOp.
  kBias,
  kActivation,
  kBiasGrad,
};
// Calls a function from an attribute; lowered before placement.
constexpr bool IsFunctional(OpKind kind) {
  return kind >= OpKind::kCall && kind <= OpKind::kSymbolicGradient;
}
absl::string_view Name(OpKind kind);  // as the notation writes it: "switch"; empty for kCompute
std::optional<OpKind> ParseOpKind(absl::string_view name);

// The op that joins this one with an op of the kind `with` behind it; without a name there is none.
struct FusedOp {
  std::string name;
  OpKind with = OpKind::kCompute;

  bool operator==(const FusedOp&) const = default;
};

struct OpDef {
  std::string name;
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  // TensorFlow's traits.
  bool stateful = false;
  bool commutative = false;
  bool aggregate = false;
  bool allows_uninitialized = false;  // inputs may be references to variables without a value
  int deprecated = 0;                 // first graph version that may not use the op; 0: none

  // The traits that the runtime reads.
  OpKind kind = OpKind::kCompute;
  bool random = false;          // stateful: each run advances its random stream
  bool no_side_effect = false;  // stateful, but a function's body may skip it
  bool shape_only = false;      // reads the shape of its input, not the values
  bool dataset = false;  // makes or reads a data set: may be on another device than its resources
  bool session_tensors = false;  // reads or writes the tensors that a session keeps
  bool debug = false;            // can be added behind a tensor that the debugger watches
  bool follows_1x = false;       // its kernel gives other results for graphs of 1.x
  FusedOp fused;
  std::string differs;  // how its results differ from TensorFlow's, and why; one line

  const AttrDef* FindAttr(absl::string_view attr) const;
  int InputIndex(absl::string_view arg) const;  // -1 if there is none
  int OutputIndex(absl::string_view arg) const;
  bool operator==(const OpDef&) const = default;
};

// The tensors of one ArgDef: [begin, end) of the node's flat inputs or outputs.
struct ArgRange {
  int begin = 0;
  int end = 0;

  int size() const { return end - begin; }
  bool operator==(const ArgRange&) const = default;
};

// The flat types of a node's inputs or outputs, reference types as MakeRef(dtype), and the range of
// each ArgDef.
struct ArgTypes {
  std::vector<DType> types;
  std::vector<ArgRange> ranges;
};

// Limit on the inputs, or outputs, of a node. It bounds the memory that a number in an attribute
// can make us allocate.
inline constexpr int64_t kMaxArgs = 1 << 20;

// Resolves the op's arguments with the attributes. `attrs` may be anything: a missing attribute,
// one of another kind, a placeholder, or a number out of range is INVALID_ARGUMENT.
absl::Status ResolveArgs(const OpDef& op, const AttrMap& attrs, ArgTypes* inputs,
                         ArgTypes* outputs);

// Completes a node's attributes. Absent ones get their defaults; lists without an element type get
// the required one. INVALID_ARGUMENT names attribute and op if a required one is missing, if one
// does not belong to the op (names that begin with '_' are free and stay), or if one has another
// type, a value that is not allowed, or one below its minimum. Placeholders, which occur in bodies
// of functions, are not changed.
absl::Status CheckAndCompleteAttrs(const OpDef& op, AttrMap& attrs);

// The same for one given value.
absl::Status CheckAttr(const AttrDef& def, const Attr& value);

}  // namespace sluice

#endif  // SLUICE_CORE_OP_OP_DEF_H_
