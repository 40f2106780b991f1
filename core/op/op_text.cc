// SPDX-License-Identifier: Apache-2.0
#include "core/op/op_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "core/op/attr_text.h"
#include "core/op/text_scanner.h"
#include "core/status.h"

namespace sluice {
namespace {

// Names of sets of types that many ops use.
struct TypeSet {
  absl::string_view name;
  absl::Span<const DType> types;
};
constexpr DType kNumbers[] = {kFloat, kDouble, kInt32,  kUint8,  kInt16,    kInt8,   kComplex64,
                              kInt64, kQint8,  kQuint8, kQint32, kBfloat16, kUint16, kComplex128,
                              kHalf,  kUint32, kUint64, kQint16, kQuint16};
constexpr DType kReals[] = {kFloat, kDouble,   kInt32,  kUint8, kInt16,  kInt8,
                            kInt64, kBfloat16, kUint16, kHalf,  kUint32, kUint64};
constexpr DType kFloats[] = {kHalf, kBfloat16, kFloat, kDouble};
constexpr TypeSet kTypeSets[] = {{"numbers", kNumbers}, {"reals", kReals}, {"floats", kFloats}};

struct Flag {
  absl::string_view name;
  bool OpDef::*member;
};
constexpr Flag kFlags[] = {{"stateful", &OpDef::stateful},
                           {"commutative", &OpDef::commutative},
                           {"aggregate", &OpDef::aggregate},
                           {"allows_uninitialized", &OpDef::allows_uninitialized},
                           {"random", &OpDef::random},
                           {"no_side_effect", &OpDef::no_side_effect},
                           {"shape_only", &OpDef::shape_only},
                           {"dataset", &OpDef::dataset},
                           {"session_tensors", &OpDef::session_tensors},
                           {"debug", &OpDef::debug},
                           {"follows_1x", &OpDef::follows_1x}};

// Estimates for the notation, to reserve memory.
constexpr size_t kBytesPerOp = 160;

// `{float reals}` or `{"SAME" "VALID"}`, after the opening bracket.
absl::Status ParseAllowed(TextScanner& text, AttrDef* def) {
  if (text.Peek('"')) {
    def->type.kind = AttrKind::kString;
    while (!text.Accept("}")) {
      SLUICE_ASSIGN(std::string value, text.Quoted());
      def->allowed_strings.push_back(std::move(value));
    }
    return absl::OkStatus();
  }
  def->type.kind = AttrKind::kType;
  do {
    SLUICE_ASSIGN(const absl::string_view name, text.Name("a dtype"));
    const auto* set = std::find_if(std::begin(kTypeSets), std::end(kTypeSets),
                                   [name](const TypeSet& s) { return s.name == name; });
    const DType type = set == std::end(kTypeSets) ? ParseDType(name) : kInvalid;
    if (set != std::end(kTypeSets)) {
      def->allowed_types.insert(def->allowed_types.end(), set->types.begin(), set->types.end());
    } else if (IsKnown(type)) {
      def->allowed_types.push_back(type);
    } else {
      return text.Error("'", name, "' is not a dtype");
    }
  } while (!text.Accept("}"));
  return absl::OkStatus();
}

// The allowed types; a named set is replaced by its types.
std::string AllowedText(absl::Span<const DType> types) {
  std::vector<std::string> pieces;
  while (!types.empty()) {
    const auto begins = [types](const TypeSet& s) {
      return types.subspan(0, s.types.size()) == s.types;
    };
    const auto* set = std::find_if(std::begin(kTypeSets), std::end(kTypeSets), begins);
    const bool named = set != std::end(kTypeSets);
    pieces.push_back(named ? std::string(set->name) : Name(types[0]));
    types.remove_prefix(named ? set->types.size() : 1);
  }
  return absl::StrCat("{", absl::StrJoin(pieces, " "), "}");
}

absl::StatusOr<AttrDef> ParseAttrDef(TextScanner& text, absl::string_view name) {
  AttrDef def;
  def.name = std::string(name);
  const bool list = text.AcceptName("list");
  if (list) SLUICE_RETURN_IF_ERROR(text.Expect("("));
  if (text.Accept("{")) {
    SLUICE_RETURN_IF_ERROR(ParseAllowed(text, &def));
  } else {
    SLUICE_ASSIGN(def.type, ParseAttrType(text));
    if (list && def.type.list) return text.Error("a list of lists");
  }
  if (list) SLUICE_RETURN_IF_ERROR(text.Expect(")"));
  def.type.list |= list;
  if (text.Accept(">=")) {
    if (!def.type.list && def.type.kind != AttrKind::kInt)
      return text.Error("only an int or a list has a minimum");
    SLUICE_ASSIGN(def.minimum, text.Int());
  }
  if (text.Accept("=")) {
    SLUICE_ASSIGN(def.default_value, ParseAttrValue(text, def.type));
    if (absl::Status s = CheckAttr(def, *def.default_value); !s.ok())
      return text.Error(s.message());
  }
  return def;
}

std::string AttrDefText(const AttrDef& def) {
  std::string type(Name(def.type.kind));
  if (!def.allowed_types.empty()) type = AllowedText(def.allowed_types);
  if (!def.allowed_strings.empty()) {
    const auto quoted = [](std::string* out, const std::string& s) {
      absl::StrAppend(out, AttrValueText(s));
    };
    type = absl::StrCat("{", absl::StrJoin(def.allowed_strings, " ", quoted), "}");
  }
  if (def.type.list) type = absl::StrCat("list(", type, ")");
  std::string out = absl::StrCat(def.name, ": ", type);
  if (def.minimum) absl::StrAppend(&out, " >= ", *def.minimum);
  if (def.default_value) absl::StrAppend(&out, " = ", AttrValueText(*def.default_value));
  return out;
}

// Parses a text block by block.
class OpParser {
 public:
  OpParser(absl::string_view file, absl::string_view text) : text_(file, text) {}

  absl::StatusOr<std::vector<OpDef>> Parse();

 private:
  absl::Status ParseHeader(OpDef* op);
  absl::Status ParseFlags(OpDef* op);
  absl::StatusOr<OpKind> ParseKind();
  absl::Status ParseArgs(std::vector<ArgDef>* args);  // up to the closing bracket
  absl::StatusOr<ArgDef> ParseArg();
  absl::Status ParseBodyLine(OpDef* op);
  // Resolves a name in an argument: an attribute, or else a dtype.
  absl::Status ResolveNames(const OpDef& op, size_t place, ArgDef* arg) const;

  TextScanner text_;
};

absl::StatusOr<std::vector<OpDef>> OpParser::Parse() {
  std::vector<OpDef> ops;
  ops.reserve(text_.size() / kBytesPerOp);
  bool more = text_.NextLine();
  while (more) {
    if (text_.indented() || !text_.AcceptName("op"))
      return text_.Error("expected 'op' in the first column");
    const size_t place = text_.place();
    OpDef& op = ops.emplace_back();
    SLUICE_RETURN_IF_ERROR(ParseHeader(&op));
    while ((more = text_.NextLine()) && text_.indented())
      SLUICE_RETURN_IF_ERROR(ParseBodyLine(&op));
    for (auto* args : {&op.inputs, &op.outputs}) {
      for (ArgDef& arg : *args) SLUICE_RETURN_IF_ERROR(ResolveNames(op, place, &arg));
    }
  }
  return ops;
}

absl::Status OpParser::ParseHeader(OpDef* op) {
  SLUICE_ASSIGN(const absl::string_view name, text_.Name("the name of an op", true));
  op->name = std::string(name);
  SLUICE_RETURN_IF_ERROR(text_.Expect("("));
  SLUICE_RETURN_IF_ERROR(ParseArgs(&op->inputs));
  if (text_.Accept("->")) {
    if (text_.Accept("(")) {
      SLUICE_RETURN_IF_ERROR(ParseArgs(&op->outputs));
    } else {
      SLUICE_ASSIGN(ArgDef arg, ParseArg());
      op->outputs.push_back(std::move(arg));
    }
  }
  return ParseFlags(op);
}

absl::Status OpParser::ParseFlags(OpDef* op) {
  while (!text_.AtLineEnd()) {
    SLUICE_ASSIGN(const absl::string_view flag, text_.Name("a flag"));
    if (flag == "deprecated") {
      SLUICE_RETURN_IF_ERROR(text_.Expect("("));
      SLUICE_ASSIGN(const int64_t version, text_.Int());
      if (version < 1 || !std::in_range<int>(version)) return text_.Error("no version: ", version);
      op->deprecated = static_cast<int>(version);
      SLUICE_RETURN_IF_ERROR(text_.Expect(")"));
      continue;
    }
    if (flag == "kind") {
      SLUICE_RETURN_IF_ERROR(text_.Expect("("));
      SLUICE_ASSIGN(op->kind, ParseKind());
      SLUICE_RETURN_IF_ERROR(text_.Expect(")"));
      continue;
    }
    if (flag == "fused") {
      SLUICE_RETURN_IF_ERROR(text_.Expect("("));
      SLUICE_ASSIGN(op->fused.with, ParseKind());
      SLUICE_RETURN_IF_ERROR(text_.Expect(","));
      SLUICE_ASSIGN(const absl::string_view name, text_.Name("the name of an op", true));
      op->fused.name = std::string(name);
      SLUICE_RETURN_IF_ERROR(text_.Expect(")"));
      continue;
    }
    const auto* known = std::find_if(std::begin(kFlags), std::end(kFlags),
                                     [flag](const Flag& f) { return f.name == flag; });
    if (known == std::end(kFlags)) return text_.Error("unknown flag '", flag, "'");
    op->*known->member = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<OpKind> OpParser::ParseKind() {
  SLUICE_ASSIGN(const absl::string_view name, text_.Name("the name of a kind"));
  const std::optional<OpKind> kind = ParseOpKind(name);
  if (!kind) return text_.Error("unknown kind '", name, "'");
  return *kind;
}

absl::Status OpParser::ParseArgs(std::vector<ArgDef>* args) {
  if (text_.Accept(")")) return absl::OkStatus();
  do {
    SLUICE_ASSIGN(ArgDef arg, ParseArg());
    for (const ArgDef& other : *args) {
      if (other.name == arg.name) return text_.Error("two arguments '", arg.name, "'");
    }
    args->push_back(std::move(arg));
  } while (text_.Accept(","));
  return text_.Expect(")");
}

absl::StatusOr<ArgDef> OpParser::ParseArg() {
  ArgDef arg;
  SLUICE_ASSIGN(const absl::string_view name, text_.Name("the name of an argument"));
  arg.name = std::string(name);
  SLUICE_RETURN_IF_ERROR(text_.Expect(":"));
  SLUICE_ASSIGN(absl::string_view type, text_.Name("a type"));
  if (text_.Accept("*")) {
    arg.number_attr = std::string(type);
    SLUICE_ASSIGN(type, text_.Name("a type"));
  }
  const bool ref = type == "Ref" && text_.Accept("(");
  if (ref) {
    arg.is_ref = true;
    SLUICE_ASSIGN(type, text_.Name("a type"));
  }
  if (type == "list" && text_.Accept("(")) {
    if (!arg.number_attr.empty())
      return text_.Error("'", arg.name, "' is a list, a number of times");
    SLUICE_ASSIGN(type, text_.Name("the name of an attribute"));
    arg.type_list_attr = std::string(type);
    SLUICE_RETURN_IF_ERROR(text_.Expect(")"));
  } else {
    arg.type_attr = std::string(type);
  }
  if (ref) SLUICE_RETURN_IF_ERROR(text_.Expect(")"));
  return arg;
}

absl::Status OpParser::ParseBodyLine(OpDef* op) {
  SLUICE_ASSIGN(const absl::string_view name, text_.Name("the name of an attribute"));
  if (text_.Accept("=")) {
    if (name != "differs") return text_.Error("unknown property '", name, "'");
    op->differs = std::string(text_.RestOfLine());
    return absl::OkStatus();
  }
  SLUICE_RETURN_IF_ERROR(text_.Expect(":"));
  if (op->FindAttr(name) != nullptr) return text_.Error("two attributes '", name, "'");
  if (IsKnown(ParseDType(name)))
    return text_.Error("attribute '", name, "' has the name of a dtype");
  SLUICE_ASSIGN(AttrDef attr, ParseAttrDef(text_, name));
  op->attrs.push_back(std::move(attr));
  if (!text_.AtLineEnd())
    return text_.Error("expected the end of the line after attribute '", name, "'");
  return absl::OkStatus();
}

absl::Status OpParser::ResolveNames(const OpDef& op, size_t place, ArgDef* arg) const {
  const auto check = [&](const std::string& attr, AttrType type) {
    const AttrDef* def = op.FindAttr(attr);
    if (def != nullptr && def->type == type) return absl::OkStatus();
    return text_.ErrorAt(
        place, absl::StrCat("op ", op.name, ": argument '", arg->name, "' needs an attribute '",
                            attr, "' of type ", type.ToString()));
  };
  if (!arg->number_attr.empty())
    SLUICE_RETURN_IF_ERROR(check(arg->number_attr, {AttrKind::kInt, false}));
  if (!arg->type_list_attr.empty()) return check(arg->type_list_attr, {AttrKind::kType, true});
  arg->type = ParseDType(arg->type_attr);
  if (!IsKnown(arg->type)) return check(arg->type_attr, {AttrKind::kType, false});
  arg->type_attr.clear();
  return absl::OkStatus();
}

std::string ArgText(const ArgDef& arg) {
  std::string type = !arg.type_list_attr.empty() ? absl::StrCat("list(", arg.type_list_attr, ")")
                     : !arg.type_attr.empty()    ? arg.type_attr
                                                 : Name(arg.type);
  if (arg.is_ref) type = absl::StrCat("Ref(", type, ")");
  return absl::StrCat(arg.name, ": ", arg.number_attr, arg.number_attr.empty() ? "" : "*", type);
}

std::string ArgsText(const std::vector<ArgDef>& args) {
  return absl::StrJoin(args, ", ",
                       [](std::string* out, const ArgDef& arg) { out->append(ArgText(arg)); });
}

}  // namespace

absl::StatusOr<std::vector<OpDef>> ParseOps(absl::string_view file, absl::string_view text) {
  return OpParser(file, text).Parse();
}

std::string ToText(const OpDef& op) {
  std::string out = absl::StrCat("op ", op.name, "(", ArgsText(op.inputs), ")");
  if (op.outputs.size() == 1) absl::StrAppend(&out, " -> ", ArgText(op.outputs[0]));
  if (op.outputs.size() > 1) absl::StrAppend(&out, " -> (", ArgsText(op.outputs), ")");
  absl::string_view gap = "   ";
  for (const Flag& flag : kFlags) {
    if (op.*flag.member) absl::StrAppend(&out, std::exchange(gap, " "), flag.name);
  }
  if (op.deprecated > 0)
    absl::StrAppend(&out, std::exchange(gap, " "), "deprecated(", op.deprecated, ")");
  if (op.kind != OpKind::kCompute)
    absl::StrAppend(&out, std::exchange(gap, " "), "kind(", Name(op.kind), ")");
  if (!op.fused.name.empty())
    absl::StrAppend(&out, gap, "fused(", Name(op.fused.with), ", ", op.fused.name, ")");
  out += '\n';
  for (const AttrDef& attr : op.attrs) absl::StrAppend(&out, "  ", AttrDefText(attr), "\n");
  if (!op.differs.empty()) absl::StrAppend(&out, "  differs = ", op.differs, "\n");
  return out;
}

}  // namespace sluice
