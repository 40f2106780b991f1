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

// An op's interface: what a node of that op must look like. Plain data, read by everybody;
// core/op/op_text.h reads and prints it in our notation.

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

// The type of a value; nothing for a placeholder, an unset value, and a list that does not say of
// what.
std::optional<AttrType> TypeOf(const Attr& attr);

struct AttrDef {
  std::string name;
  AttrType type;
  std::optional<int64_t> minimum;            // of an int; of the length of a list
  std::vector<DType> allowed_types;          // empty: any
  std::vector<std::string> allowed_strings;  // empty: any
  std::optional<Attr> default_value;         // none: a node must state it

  bool operator==(const AttrDef&) const = default;
};

// An input or output: one tensor, `number_attr` tensors of one type, or a list whose types an
// attribute gives.
struct ArgDef {
  std::string name;
  DType type = kInvalid;  // kInvalid: type_attr or type_list_attr gives it
  std::string type_attr;
  std::string number_attr;
  std::string type_list_attr;
  bool is_ref = false;

  bool operator==(const ArgDef&) const = default;
};

// The ops that the runtime treats in a way of their own; of the others (kCompute) it only runs the
// kernel. The notation writes `kind(switch)`.
enum class OpKind : uint8_t {
  kCompute,
  kNoOp,
  kControlTrigger,
  kConst,
  kPlaceholder,
  kVariable,        // a reference to its own memory
  kVariableHandle,  // a resource handle
  kIdentity,
  kForward,  // hands its input on, as Identity does
  kIdentityN,
  // Flow of control; the Ref forms count as the plain ones.
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
  // The debugger's.
  kDebugCopy,   // hands its input on
  kDebugProbe,  // computes something about it
};
// Calls a function that an attribute names; lowered before placement.
constexpr bool IsFunctional(OpKind kind) {
  return kind >= OpKind::kCall && kind <= OpKind::kSymbolicGradient;
}
absl::string_view Name(OpKind kind);  // as the notation writes it: "switch"; empty for kCompute
std::optional<OpKind> ParseOpKind(absl::string_view name);

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
  int deprecated = 0;                 // the graph version from which the op is refused; 0: never

  // The traits that the runtime reads.
  OpKind kind = OpKind::kCompute;
  bool random = false;           // stateful: each run advances its random stream
  bool no_side_effect = false;   // stateful, but nothing is lost when a function's body skips it
  bool shape_only = false;       // reads the shape of its input, not the values
  bool dataset = false;          // makes or reads a data set: may stand far from its resources
  bool session_tensors = false;  // reads or writes the tensors that a session keeps
  bool debug = false;            // may be put behind a tensor that the debugger watches
  bool follows_1x = false;       // its kernel answers graphs of 1.x in another way
  std::string differs;           // how its answers differ from TensorFlow's, and why; one line

  const AttrDef* FindAttr(absl::string_view attr) const;
  int InputIndex(absl::string_view arg) const;  // -1 if there is none
  int OutputIndex(absl::string_view arg) const;
  bool operator==(const OpDef&) const = default;
};

// The tensors that one ArgDef stands for: [begin, end) of the node's flat inputs or outputs.
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

// No node has more inputs, or outputs: a bound on what a number in an attribute can make us
// allocate.
inline constexpr int64_t kMaxArgs = 1 << 20;

// Resolves the op's arguments with the attributes. REQUIRES nothing of `attrs`: a missing
// attribute, one of another kind, a placeholder, or a number out of range is INVALID_ARGUMENT.
absl::Status ResolveArgs(const OpDef& op, const AttrMap& attrs, ArgTypes* inputs,
                         ArgTypes* outputs);

// Makes a node's attributes complete, or says what is wrong with them (INVALID_ARGUMENT, naming
// attribute and op): absent ones get their defaults, lists of no stated kind the kind they must
// have; a required one is missing, one is not of the op (names that begin with '_' belong to nobody
// and stay), or one has another type, a value that is not allowed, or is below its minimum.
// Placeholders, which stand in bodies of functions, are left alone.
absl::Status CheckAndCompleteAttrs(const OpDef& op, AttrMap& attrs);

// The same for one value that is there.
absl::Status CheckAttr(const AttrDef& def, const Attr& value);

}  // namespace sluice

#endif  // SLUICE_CORE_OP_OP_DEF_H_
