// SPDX-License-Identifier: Apache-2.0
#include "core/op/attr_text.h"

#include <charconv>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_join.h"
#include "core/status.h"

namespace sluice {
namespace {

// A function value may have attributes that are functions. Deeper nesting than this is refused.
constexpr int kMaxDepth = 16;
// A tensor in an interface is a small constant.
constexpr size_t kMaxTensorValues = 4096;

using Pieces = std::vector<std::string>;

std::string Bracketed(const Pieces& pieces) {
  return absl::StrCat("[", absl::StrJoin(pieces, ", "), "]");
}

absl::StatusOr<DType> ParseType(TextScanner& text) {
  SLUICE_ASSIGN(const absl::string_view name, text.Name("a dtype"));
  const DType type = ParseDType(name);
  if (!IsKnown(type)) return text.Error("'", name, "' is not a dtype");
  return type;
}

// `open item, item, ... close`, after the opening bracket.
template <typename Item>
absl::Status ParseItems(TextScanner& text, absl::string_view close, Item&& item) {
  if (text.Accept(close)) return absl::OkStatus();
  do {
    SLUICE_RETURN_IF_ERROR(item());
  } while (text.Accept(","));
  return text.Expect(close);
}

absl::StatusOr<PartialShape> ParseShape(TextScanner& text) {
  if (text.Accept("?")) return PartialShape();
  SLUICE_RETURN_IF_ERROR(text.Expect("["));
  Shape::Dims dims;
  SLUICE_RETURN_IF_ERROR(ParseItems(text, "]", [&]() -> absl::Status {
    int64_t dim = -1;
    if (!text.Accept("?")) {
      SLUICE_ASSIGN(dim, text.Int());
      if (dim < 0) return text.Error("a dimension is negative");
    }
    if (dims.size() == kMaxRank)
      return text.Error("a shape has more than ", kMaxRank, " dimensions");
    dims.push_back(dim);
    return absl::OkStatus();
  }));
  auto shape = PartialShape::Create(dims);
  if (!shape.ok()) return text.Error(shape.status().message());
  return shape;
}

// One element of a tensor.
template <typename T>
absl::StatusOr<T> ParseElement(TextScanner& text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text.Quoted();
  } else if constexpr (std::is_same_v<T, bool>) {
    SLUICE_ASSIGN(const Attr value, ParseAttrValue(text, {AttrKind::kBool, false}));
    return *value.get_if<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    SLUICE_ASSIGN(const int64_t value, text.Int());
    if (!std::in_range<T>(value)) return text.Error(value, " does not fit the tensor's type");
    return static_cast<T>(value);
  } else if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>) {
    SLUICE_RETURN_IF_ERROR(text.Expect("("));
    SLUICE_ASSIGN(const double real, text.Float());
    SLUICE_RETURN_IF_ERROR(text.Expect(","));
    SLUICE_ASSIGN(const double imag, text.Float());
    SLUICE_RETURN_IF_ERROR(text.Expect(")"));
    return T(real, imag);
  } else {
    SLUICE_ASSIGN(const double value, text.Float());
    return T(value);
  }
}

using ElementTypes = Join<NumericTypes, TypeList<bool, std::string>>;
constexpr DTypeSet kElements = SetOf(ElementTypes{});

// `tensor(dtype, shape, [values])`, after the first word.
absl::StatusOr<Attr> ParseTensor(TextScanner& text) {
  SLUICE_RETURN_IF_ERROR(text.Expect("("));
  SLUICE_ASSIGN(const DType dtype, ParseType(text));
  SLUICE_RETURN_IF_ERROR(text.Expect(","));
  SLUICE_ASSIGN(const PartialShape partial, ParseShape(text));
  if (!kElements.contains(dtype)) return text.Error("no notation for a tensor of ", Name(dtype));
  if (!partial.fully_known()) return text.Error("a tensor's shape has unknown sizes");
  SLUICE_ASSIGN(const Shape shape, partial.ToShape());
  SLUICE_RETURN_IF_ERROR(text.Expect(","));
  SLUICE_RETURN_IF_ERROR(text.Expect("["));
  Tensor tensor;
  SLUICE_RETURN_IF_ERROR(
      VisitDType(ElementTypes{}, dtype, [&]<typename T>(Type<T>) -> absl::Status {
        absl::InlinedVector<T, 4> values;
        SLUICE_RETURN_IF_ERROR(ParseItems(text, "]", [&]() -> absl::Status {
          SLUICE_ASSIGN(T value, ParseElement<T>(text));
          if (values.size() == kMaxTensorValues) return text.Error("a tensor has too many values");
          values.push_back(std::move(value));
          return absl::OkStatus();
        }));
        if (static_cast<int64_t>(values.size()) != shape.num_elements()) {
          return text.Error("a tensor of shape ", shape.ToString(), " has ", values.size(),
                            " values");
        }
        tensor = Tensor::Of<T>(shape, values);
        return absl::OkStatus();
      }));
  SLUICE_RETURN_IF_ERROR(text.Expect(")"));
  return Attr(std::move(tensor));
}

absl::StatusOr<Attr> ParseValue(TextScanner& text, AttrType type, int depth);

// `Name` or `Name{attr: type = value, ...}`.
absl::StatusOr<FunctionRef> ParseFunction(TextScanner& text, int depth) {
  if (depth == 0) return text.Error("functions are nested too deeply");
  SLUICE_ASSIGN(const absl::string_view name, text.Name("the name of a function", true));
  FunctionRef function{std::string(name), nullptr};
  if (!text.Accept("{")) return function;
  AttrMap attrs;
  SLUICE_RETURN_IF_ERROR(ParseItems(text, "}", [&]() -> absl::Status {
    SLUICE_ASSIGN(const absl::string_view attr, text.Name("the name of an attribute"));
    SLUICE_RETURN_IF_ERROR(text.Expect(":"));
    SLUICE_ASSIGN(const AttrType type, ParseAttrType(text));
    SLUICE_RETURN_IF_ERROR(text.Expect("="));
    SLUICE_ASSIGN(Attr value, ParseValue(text, type, depth - 1));
    if (!attrs.emplace(std::string(attr), std::move(value)).second) {
      return text.Error("attr '", attr, "' is stated twice");
    }
    return absl::OkStatus();
  }));
  function.attrs = std::make_shared<const AttrMap>(std::move(attrs));
  return function;
}

absl::StatusOr<bool> ParseBool(TextScanner& text) {
  if (text.AcceptName("true")) return true;
  if (text.AcceptName("false")) return false;
  return text.Error("expected true or false");
}

absl::StatusOr<float> ParseFloat(TextScanner& text) {
  SLUICE_ASSIGN(const double value, text.Float());
  return static_cast<float>(value);
}

template <typename T, typename Parse>
absl::StatusOr<Attr> OneOrList(TextScanner& text, bool list, Parse&& parse) {
  if (!list) {
    SLUICE_ASSIGN(T value, parse());
    return Attr(std::move(value));
  }
  SLUICE_RETURN_IF_ERROR(text.Expect("["));
  std::vector<T> values;
  SLUICE_RETURN_IF_ERROR(ParseItems(text, "]", [&]() -> absl::Status {
    SLUICE_ASSIGN(T value, parse());
    values.push_back(std::move(value));
    return absl::OkStatus();
  }));
  return Attr(std::move(values));
}

absl::StatusOr<Tensor> ParseOneTensor(TextScanner& text) {
  if (!text.AcceptName("tensor")) return text.Error("expected tensor(dtype, shape, [values])");
  SLUICE_ASSIGN(const Attr tensor, ParseTensor(text));
  return *tensor.get_if<Tensor>();
}

absl::StatusOr<Attr> ParseValue(TextScanner& text, AttrType type, int depth) {
  switch (type.kind) {
    case AttrKind::kString:
      return OneOrList<std::string>(text, type.list, [&] { return text.Quoted(); });
    case AttrKind::kInt:
      return OneOrList<int64_t>(text, type.list, [&] { return text.Int(); });
    case AttrKind::kFloat:
      return OneOrList<float>(text, type.list, [&] { return ParseFloat(text); });
    case AttrKind::kBool:
      return OneOrList<bool>(text, type.list, [&] { return ParseBool(text); });
    case AttrKind::kType:
      return OneOrList<DType>(text, type.list, [&] { return ParseType(text); });
    case AttrKind::kShape:
      return OneOrList<PartialShape>(text, type.list, [&] { return ParseShape(text); });
    case AttrKind::kTensor:
      return OneOrList<Tensor>(text, type.list, [&] { return ParseOneTensor(text); });
    case AttrKind::kFunc:
      return OneOrList<FunctionRef>(text, type.list, [&] { return ParseFunction(text, depth); });
  }
  return text.Error("no such type");
}

// The shortest text that parses to the same number.
template <typename F>
std::string FloatText(F value) {
  char buffer[40];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

std::string ShapeText(const PartialShape& shape) {
  if (!shape.rank_known()) return "?";
  Pieces dims;
  for (int64_t dim : shape.dims()) dims.push_back(dim < 0 ? "?" : absl::StrCat(dim));
  return Bracketed(dims);
}

std::string QuotedText(absl::string_view value) {
  return absl::StrCat("\"", absl::CHexEscape(value), "\"");
}

template <typename T>
std::string ElementText(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return QuotedText(value);
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_integral_v<T>)
    return absl::StrCat(value);
  else if constexpr (std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>)
    return absl::StrCat("(", FloatText(value.real()), ", ", FloatText(value.imag()), ")");
  else if constexpr (std::is_same_v<T, double>)
    return FloatText(value);
  else
    return FloatText(static_cast<float>(value));
}

std::string TensorText(const Tensor& tensor) {
  Pieces values;
  const absl::Status known =
      VisitDType(ElementTypes{}, tensor.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
        for (const T& value : tensor.flat<T>()) values.push_back(ElementText(value));
        return absl::OkStatus();
      });
  if (!known.ok()) return tensor.ToString();
  return absl::StrCat("tensor(", Name(tensor.dtype()), ", ", ShapeText(tensor.shape()), ", ",
                      Bracketed(values), ")");
}

std::string FunctionText(const FunctionRef& function) {
  if (function.attrs == nullptr) return function.name;
  Pieces attrs;
  for (const auto& [name, value] : *function.attrs) {
    const auto type = TypeOf(value);
    attrs.push_back(
        absl::StrCat(name, ": ", type ? type->ToString() : "?", " = ", AttrValueText(value)));
  }
  return absl::StrCat(function.name, "{", absl::StrJoin(attrs, ", "), "}");
}

// One overload per alternative of Attr::Value.
struct ValueText {
  std::string operator()(const std::string& v) const { return QuotedText(v); }
  std::string operator()(int64_t v) const { return absl::StrCat(v); }
  std::string operator()(float v) const { return FloatText(v); }
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(DType v) const { return Name(v); }
  std::string operator()(const PartialShape& v) const { return ShapeText(v); }
  std::string operator()(const Tensor& v) const { return TensorText(v); }
  std::string operator()(const FunctionRef& v) const { return FunctionText(v); }
  std::string operator()(const AttrPlaceholder& v) const { return absl::StrCat("$", v.name); }
  std::string operator()(EmptyList) const { return "[]"; }
  std::string operator()(std::monostate) const { return "?"; }
  template <typename T>
  std::string operator()(const std::vector<T>& list) const {
    Pieces pieces;
    for (size_t i = 0; i < list.size(); ++i)
      pieces.push_back((*this)(static_cast<const T&>(list[i])));
    return Bracketed(pieces);
  }
};

}  // namespace

absl::StatusOr<AttrType> ParseAttrType(TextScanner& text) {
  const bool list = text.AcceptName("list");
  if (list) SLUICE_RETURN_IF_ERROR(text.Expect("("));
  SLUICE_ASSIGN(const absl::string_view name, text.Name("the type of an attribute"));
  const auto kind = AttrType::Parse(name);
  if (!kind) return text.Error("'", name, "' is not an attribute type");
  if (list) SLUICE_RETURN_IF_ERROR(text.Expect(")"));
  return AttrType{kind->kind, list};
}

absl::StatusOr<Attr> ParseAttrValue(TextScanner& text, AttrType type) {
  return ParseValue(text, type, kMaxDepth);
}

std::string AttrValueText(const Attr& value) { return std::visit(ValueText{}, value.value); }

}  // namespace sluice
