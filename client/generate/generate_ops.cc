// SPDX-License-Identifier: Apache-2.0
// Writes the typed ops of the C++ client: generate_ops OUT writes OUT/<family>.{h,cc} for every
// graph/ops/<family>.ops. Unchanged files are not written.
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/op/op_text.h"
#include "graph/ops/embedded_ops.h"

namespace sluice {
namespace {

// Names that C++, or a generated function itself, uses for something else.
std::string Safe(const std::string& name) {
  static const auto* const kTaken = new std::set<std::string>{
      "and",    "asm",      "auto", "bool",  "case",  "char",  "class",  "const",    "default",
      "delete", "double",   "else", "enum",  "for",   "float", "if",     "int",      "long",
      "new",    "not",      "or",   "scope", "short", "attrs", "signed", "static",   "struct",
      "switch", "template", "this", "true",  "union", "using", "while",  "register", "node"};
  return kTaken->contains(name) ? name + "_" : name;
}

bool IsIdentifier(const std::string& name) {
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0]))) return false;
  for (char c : name) {
    if (!absl::ascii_isalnum(c) && c != '_') return false;
  }
  return true;
}

std::string TypeName(AttrKind kind) {
  switch (kind) {
    case AttrKind::kString:
      return "std::string";
    case AttrKind::kInt:
      return "int64_t";
    case AttrKind::kFloat:
      return "float";
    case AttrKind::kBool:
      return "bool";
    case AttrKind::kType:
      return "DType";
    case AttrKind::kShape:
      return "PartialShape";
    case AttrKind::kTensor:
      return "::sluice::Tensor";
    case AttrKind::kFunc:
      return "FunctionRef";
  }
  return "";
}

std::string TypeName(AttrType type) {
  return type.list ? absl::StrCat("std::vector<", TypeName(type.kind), ">") : TypeName(type.kind);
}

// A value as a C++ literal; empty if it has none.
struct Literal {
  std::optional<std::string> operator()(const std::string& v) const {
    return absl::StrCat("\"", absl::CHexEscape(v), "\"");
  }
  std::optional<std::string> operator()(int64_t v) const {
    if (v == std::numeric_limits<int64_t>::min()) return std::nullopt;
    return absl::StrCat(v);
  }
  std::optional<std::string> operator()(float v) const {
    if (!std::isfinite(v)) return std::nullopt;
    std::string text = absl::StrFormat("%.9g", v);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text + "f";
  }
  std::optional<std::string> operator()(bool v) const { return v ? "true" : "false"; }
  std::optional<std::string> operator()(DType v) const {
    return absl::StrCat("static_cast<DType>(", static_cast<int>(v), ")");
  }
  std::optional<std::string> operator()(const EmptyList&) const { return "{}"; }
  template <typename T>
  std::optional<std::string> operator()(const std::vector<T>& values) const {
    std::vector<std::string> items;
    for (size_t i = 0; i < values.size(); ++i) {
      const T& value = values[i];
      const std::optional<std::string> item = (*this)(value);
      if (!item) return std::nullopt;
      items.push_back(*item);
    }
    return absl::StrCat("{", absl::StrJoin(items, ", "), "}");
  }
  template <typename T>
  std::optional<std::string> operator()(const T&) const {
    return std::nullopt;
  }
};

std::string Member(const AttrDef& attr) {
  const std::string type = TypeName(attr.type), name = Safe(attr.name);
  if (!attr.default_value) {
    const bool dtype = attr.type == AttrType{AttrKind::kType, false};
    return absl::StrCat("  ", type, " ", name, dtype ? " = kInvalid" : " = {}", ";\n");
  }
  const std::optional<std::string> value = std::visit(Literal{}, attr.default_value->value);
  if (!value) return absl::StrCat("  std::optional<", type, "> ", name, " = {};\n");
  return absl::StrCat("  ", type, " ", name, " = ", *value, ";\n");
}

bool IsList(const ArgDef& arg) { return !arg.number_attr.empty() || !arg.type_list_attr.empty(); }

// One op as C++: the declaration and the function.
struct TypedOp {
  explicit TypedOp(const OpDef& op) : op(op) {
    std::set<std::string> inferred;
    for (const ArgDef& arg : op.inputs) {
      inferred.insert({arg.type_attr, arg.number_attr, arg.type_list_attr});
    }
    for (const bool optional : {false, true}) {  // required attributes come first
      for (const AttrDef& attr : op.attrs) {
        if (inferred.contains(attr.name) || attr.default_value.has_value() != optional) continue;
        attrs.push_back(&attr);
        required |= !optional;
      }
    }
  }

  std::string Result() const {
    if (op.outputs.empty()) return "graph::Node*";
    if (op.outputs.size() > 1) return op.name + "Outputs";
    return IsList(op.outputs[0]) ? "std::vector<Output>" : "Output";
  }

  std::string Signature(bool declared) const {
    std::vector<std::string> parameters = {"const Scope& scope"};
    for (const ArgDef& arg : op.inputs) {
      parameters.push_back(absl::StrCat(
          IsList(arg) ? "const std::vector<Output>& " : "const Output& ", Safe(arg.name)));
    }
    if (!attrs.empty()) {
      parameters.push_back(
          absl::StrCat("const ", op.name, "Attrs& attrs", declared && !required ? " = {}" : ""));
    }
    return absl::StrCat(Result(), " ", op.name, "(", absl::StrJoin(parameters, ", "), ")");
  }

  std::string Header() const {
    std::string text;
    const std::string notation = ToText(op);
    for (absl::string_view line : absl::StrSplit(notation, '\n', absl::SkipEmpty())) {
      absl::StrAppend(&text, "// ", line, "\n");
    }
    if (!attrs.empty()) {
      absl::StrAppend(&text, "struct ", op.name, "Attrs {\n");
      for (const AttrDef* attr : attrs) absl::StrAppend(&text, Member(*attr));
      absl::StrAppend(&text, "};\n");
    }
    if (op.outputs.size() > 1) {
      absl::StrAppend(&text, "struct ", op.name, "Outputs {\n");
      for (const ArgDef& arg : op.outputs) {
        absl::StrAppend(&text, IsList(arg) ? "  std::vector<Output> " : "  Output ", Safe(arg.name),
                        ";\n");
      }
      absl::StrAppend(&text, "};\n");
    }
    return absl::StrCat(text, Signature(true), ";\n\n");
  }

  std::string Source() const {
    std::string text =
        absl::StrCat(Signature(false), " {\n  NewNode node(scope, \"", op.name, "\");\n");
    for (const ArgDef& arg : op.inputs) {
      absl::StrAppend(&text, "  node.Input(", Safe(arg.name), ");\n");
    }
    for (const AttrDef* attr : attrs) {
      absl::StrAppend(&text, "  node.Set(\"", attr->name, "\", attrs.", Safe(attr->name), ");\n");
    }
    if (op.outputs.empty()) return absl::StrCat(text, "  return node.Add();\n}\n\n");
    std::vector<std::string> results;
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      results.push_back(absl::StrCat("node.", IsList(op.outputs[i]) ? "List(" : "Single(", i, ")"));
    }
    const std::string all = absl::StrJoin(results, ", ");
    return absl::StrCat(text, "  node.Add();\n  return ",
                        results.size() > 1 ? absl::StrCat("{", all, "}") : all, ";\n}\n\n");
  }

  const OpDef& op;
  std::vector<const AttrDef*> attrs;
  bool required = false;
};

bool Write(const std::filesystem::path& path, const std::string& text) {
  std::ifstream before(path);
  std::stringstream old;
  old << before.rdbuf();
  if (before && old.str() == text) return true;
  std::ofstream after(path);
  after << text;
  return static_cast<bool>(after.flush());
}

bool WriteFamily(const std::filesystem::path& folder, const std::string& family,
                 const std::vector<OpDef>& ops) {
  const std::string guard =
      absl::StrCat("SLUICE_CLIENT_OPS_", absl::AsciiStrToUpper(family), "_H_");
  std::string header =
      absl::StrCat("// Made by client/generate/generate_ops.cc of graph/ops/", family,
                   ".ops.\n#ifndef ", guard, "\n#define ", guard,
                   "\n\n#include \"client/scope.h\"\n\nnamespace sluice::client::ops {\n\n");
  std::string source =
      absl::StrCat("// Made by client/generate/generate_ops.cc of graph/ops/", family, ".ops.\n",
                   "#include \"client/ops/", family, ".h\"\n\nnamespace sluice::client::ops {\n\n");
  for (const OpDef& op : ops) {
    if (!IsIdentifier(op.name)) continue;
    const TypedOp typed(op);
    header += typed.Header();
    source += typed.Source();
  }
  return Write(folder / (family + ".h"),
               absl::StrCat(header, "}  // namespace sluice::client::ops\n\n#endif  // ", guard,
                            "\n")) &&
         Write(folder / (family + ".cc"),
               absl::StrCat(source, "}  // namespace sluice::client::ops\n"));
}

int Main(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const graph::EmbeddedOps& file : graph::AllOpFiles()) {
    const std::string name(file.file);
    const auto ops = ParseOps(name, {file.text.data(), file.text.size()});
    if (!ops.ok()) {
      std::cerr << ops.status() << "\n";
      return 1;
    }
    if (!WriteFamily(folder, name.substr(0, name.find('.')), *ops)) {
      std::cerr << "cannot write to " << folder << "\n";
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_ops FOLDER\n";
    return 2;
  }
  return sluice::Main(argv[1]);
}
