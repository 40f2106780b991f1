// SPDX-License-Identifier: Apache-2.0
#include "core/op/op_def.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <variant>

#include "absl/algorithm/container.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "core/status.h"

namespace sluice {
namespace {

constexpr std::array<absl::string_view, 8> kKindNames = {"string", "int",   "float",  "bool",
                                                         "type",   "shape", "tensor", "func"};

// By OpKind.
constexpr absl::string_view kOpKindNames[] = {"",
                                              "noop",
                                              "control_trigger",
                                              "const",
                                              "placeholder",
                                              "variable",
                                              "variable_handle",
                                              "identity",
                                              "forward",
                                              "identity_n",
                                              "switch",
                                              "switch_n",
                                              "merge",
                                              "enter",
                                              "exit",
                                              "next_iteration",
                                              "loop_cond",
                                              "send",
                                              "recv",
                                              "arg",
                                              "retval",
                                              "call",
                                              "remote_call",
                                              "if",
                                              "case",
                                              "while",
                                              "for",
                                              "symbolic_gradient",
                                              "debug_copy",
                                              "debug_probe",
                                              "bias",
                                              "activation",
                                              "bias_grad"};
static_assert(std::size(kOpKindNames) == static_cast<size_t>(OpKind::kBiasGrad) + 1);

// The kind of an alternative of Attr::Value.
template <typename T>
constexpr std::optional<AttrKind> KindOf() {
  if constexpr (std::is_same_v<T, std::string>) return AttrKind::kString;
  if constexpr (std::is_same_v<T, int64_t>) return AttrKind::kInt;
  if constexpr (std::is_same_v<T, float>) return AttrKind::kFloat;
  if constexpr (std::is_same_v<T, bool>) return AttrKind::kBool;
  if constexpr (std::is_same_v<T, DType>) return AttrKind::kType;
  if constexpr (std::is_same_v<T, PartialShape>) return AttrKind::kShape;
  if constexpr (std::is_same_v<T, Tensor>) return AttrKind::kTensor;
  if constexpr (std::is_same_v<T, FunctionRef>) return AttrKind::kFunc;
  return std::nullopt;
}

template <typename T>
struct TypeOfValue {
  static std::optional<AttrType> Get() {
    if (constexpr auto kind = KindOf<T>(); kind) return AttrType{*kind, false};
    return std::nullopt;
  }
};
template <typename T>
struct TypeOfValue<std::vector<T>> {
  static std::optional<AttrType> Get() { return AttrType{*KindOf<T>(), true}; }
};

Attr EmptyListOf(AttrKind kind) {
  switch (kind) {
    case AttrKind::kString:
      return std::vector<std::string>();
    case AttrKind::kInt:
      return std::vector<int64_t>();
    case AttrKind::kFloat:
      return std::vector<float>();
    case AttrKind::kBool:
      return std::vector<bool>();
    case AttrKind::kType:
      return std::vector<DType>();
    case AttrKind::kShape:
      return std::vector<PartialShape>();
    case AttrKind::kTensor:
      return std::vector<Tensor>();
    case AttrKind::kFunc:
      return std::vector<FunctionRef>();
  }
  return EmptyList();
}

// For a list; 0 for other values.
struct Length {
  template <typename T>
  int64_t operator()(const std::vector<T>& list) const {
    return static_cast<int64_t>(list.size());
  }
  template <typename T>
  int64_t operator()(const T&) const {
    return 0;
  }
};

absl::Status CheckDType(const AttrDef& def, DType type) {
  if (IsRef(type) && IsKnown(RemoveRef(type)))
    return InvalidArgument("attr '", def.name, "' must not have reference type ", type);
  if (!IsKnown(type)) return InvalidArgument("attr '", def.name, "' has invalid ", type);
  if (def.allowed_types.empty() || absl::c_linear_search(def.allowed_types, type))
    return absl::OkStatus();
  const auto append = [](std::string* out, DType t) { out->append(Name(t)); };
  return InvalidArgument(
      "value for attr '", def.name, "' of ", type,
      " is not in the list of allowed values: ", absl::StrJoin(def.allowed_types, ", ", append));
}

absl::Status CheckString(const AttrDef& def, const std::string& value) {
  if (def.allowed_strings.empty() || absl::c_linear_search(def.allowed_strings, value))
    return absl::OkStatus();
  const auto append = [](std::string* out, const std::string& s) {
    absl::StrAppend(out, "\"", s, "\"");
  };
  return InvalidArgument("value for attr '", def.name, "' of \"",
                         absl::CHexEscape(value.substr(0, 100)),
                         "\" is not in the list of allowed values: ",
                         absl::StrJoin(def.allowed_strings, ", ", append));
}

absl::Status CheckMinimum(const AttrDef& def, const Attr& value) {
  if (!def.minimum) return absl::OkStatus();
  if (def.type.list) {
    if (const int64_t length = std::visit(Length{}, value.value); length < *def.minimum) {
      return InvalidArgument("length for attr '", def.name, "' of ", length,
                             " must be at least minimum ", *def.minimum);
    }
  } else if (const int64_t* number = value.get_if<int64_t>(); number && *number < *def.minimum) {
    return InvalidArgument("value for attr '", def.name, "' of ", *number,
                           " must be at least minimum ", *def.minimum);
  }
  return absl::OkStatus();
}

std::string Where(const OpDef& op) { return absl::StrCat("Op<name=", op.name, ">"); }

// The base types of one ArgDef's tensors, and their number.
absl::Status AppendArg(const ArgDef& arg, const AttrMap& attrs, std::vector<DType>* types) {
  std::vector<DType> list;
  DType type = arg.type;
  int64_t count = 1;
  if (!arg.type_list_attr.empty()) {
    SLUICE_ASSIGN(list, GetAttr<std::vector<DType>>(attrs, arg.type_list_attr));
    count = static_cast<int64_t>(list.size());
  } else if (!arg.type_attr.empty()) {
    SLUICE_ASSIGN(type, GetAttr<DType>(attrs, arg.type_attr));
  }
  if (!arg.number_attr.empty()) {
    SLUICE_ASSIGN(count, GetAttr<int64_t>(attrs, arg.number_attr));
  }
  const int64_t room = kMaxArgs - static_cast<int64_t>(types->size());
  if (count < 0 || count > room) {
    const std::string& attr = arg.number_attr.empty() ? arg.type_list_attr : arg.number_attr;
    return InvalidArgument("attr '", attr, "' gives argument '", arg.name, "' ", count,
                           " tensors; a node may have 0 to ", kMaxArgs);
  }
  for (int64_t i = 0; i < count; ++i) {
    const DType t = arg.type_list_attr.empty() ? type : list[i];
    types->push_back(arg.is_ref ? MakeRef(t) : t);
  }
  return absl::OkStatus();
}

absl::Status Resolve(const OpDef& op, const std::vector<ArgDef>& args, const AttrMap& attrs,
                     ArgTypes* out) {
  out->types.clear();
  out->ranges.clear();
  for (const ArgDef& arg : args) {
    const int begin = static_cast<int>(out->types.size());
    if (absl::Status s = AppendArg(arg, attrs, &out->types); !s.ok()) return Annotate(s, Where(op));
    out->ranges.push_back({begin, static_cast<int>(out->types.size())});
  }
  return absl::OkStatus();
}

int IndexOf(const std::vector<ArgDef>& args, absl::string_view name) {
  const auto it =
      std::find_if(args.begin(), args.end(), [name](const ArgDef& a) { return a.name == name; });
  return it == args.end() ? -1 : static_cast<int>(it - args.begin());
}

}  // namespace

absl::string_view Name(AttrKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

absl::string_view Name(OpKind kind) { return kOpKindNames[static_cast<size_t>(kind)]; }

std::optional<OpKind> ParseOpKind(absl::string_view name) {
  const auto* it = absl::c_find(kOpKindNames, name);
  if (name.empty() || it == std::end(kOpKindNames)) return std::nullopt;
  return static_cast<OpKind>(it - std::begin(kOpKindNames));
}

std::optional<AttrType> AttrType::Parse(absl::string_view text) {
  AttrType type;
  type.list = absl::ConsumePrefix(&text, "list(");
  if (type.list && !absl::ConsumeSuffix(&text, ")")) return std::nullopt;
  const auto it = std::find(kKindNames.begin(), kKindNames.end(), text);
  if (it == kKindNames.end()) return std::nullopt;
  type.kind = static_cast<AttrKind>(it - kKindNames.begin());
  return type;
}

std::string AttrType::ToString() const {
  return list ? absl::StrCat("list(", Name(kind), ")") : std::string(Name(kind));
}

std::optional<AttrType> TypeOf(const Attr& attr) {
  return std::visit([](const auto& v) { return TypeOfValue<std::decay_t<decltype(v)>>::Get(); },
                    attr.value);
}

const AttrDef* OpDef::FindAttr(absl::string_view attr) const {
  const auto it =
      std::find_if(attrs.begin(), attrs.end(), [attr](const AttrDef& a) { return a.name == attr; });
  return it == attrs.end() ? nullptr : &*it;
}

int OpDef::InputIndex(absl::string_view arg) const { return IndexOf(inputs, arg); }
int OpDef::OutputIndex(absl::string_view arg) const { return IndexOf(outputs, arg); }

absl::Status ResolveArgs(const OpDef& op, const AttrMap& attrs, ArgTypes* inputs,
                         ArgTypes* outputs) {
  SLUICE_RETURN_IF_ERROR(Resolve(op, op.inputs, attrs, inputs));
  return Resolve(op, op.outputs, attrs, outputs);
}

absl::Status CheckAttr(const AttrDef& def, const Attr& value) {
  if (value.is<AttrPlaceholder>()) return absl::OkStatus();
  const auto type = TypeOf(value);
  const bool empty_list = value.is<EmptyList>() && def.type.list;
  if (!empty_list && type != def.type) {
    if (value.is<std::monostate>()) {
      return InvalidArgument("attr '", def.name, "' is missing its value, of type '", def.type,
                             "'");
    }
    return InvalidArgument("attr '", def.name, "' had value with type '",
                           type ? type->ToString() : "list", "' when '", def.type, "' expected");
  }
  SLUICE_RETURN_IF_ERROR(CheckMinimum(def, value));
  if (const auto* t = value.get_if<DType>()) return CheckDType(def, *t);
  if (const auto* s = value.get_if<std::string>()) return CheckString(def, *s);
  if (const auto* types = value.get_if<std::vector<DType>>()) {
    for (DType t : *types) SLUICE_RETURN_IF_ERROR(CheckDType(def, t));
  }
  if (const auto* strings = value.get_if<std::vector<std::string>>()) {
    for (const std::string& s : *strings) SLUICE_RETURN_IF_ERROR(CheckString(def, s));
  }
  return absl::OkStatus();
}

absl::Status CheckAndCompleteAttrs(const OpDef& op, AttrMap& attrs) {
  for (const auto& [name, value] : attrs) {
    if (absl::StartsWith(name, "_") || op.FindAttr(name) != nullptr) continue;
    return InvalidArgument("NodeDef mentions attr '", name, "' not in ", Where(op));
  }
  for (const AttrDef& def : op.attrs) {
    auto it = attrs.find(def.name);
    if (it == attrs.end()) {
      if (!def.default_value)
        return InvalidArgument("NodeDef missing attr '", def.name, "' from ", Where(op));
      attrs.emplace(def.name, *def.default_value);
      continue;
    }
    Attr& value = it->second;
    // On the wire an empty list may be `list {}`, or be missing.
    if (def.type.list && (value.is<EmptyList>() || value.is<std::monostate>()))
      value = EmptyListOf(def.type.kind);
    if (absl::Status s = CheckAttr(def, value); !s.ok()) return Annotate(s, Where(op));
  }
  return absl::OkStatus();
}

}  // namespace sluice
