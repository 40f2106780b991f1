// SPDX-License-Identifier: Apache-2.0
#include "core/op/text_scanner.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace sluice {
namespace {

enum NameClass : uint8_t { kNoName, kPlainName, kExtendedName };

// A table by character, because a thousand ops are parsed at every start.
constexpr auto kNameClass = [] {
  std::array<NameClass, 256> table{};
  for (char c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = kPlainName;
  for (char c = '0'; c <= '9'; ++c) table[c] = kPlainName;
  table['_'] = kPlainName;
  for (char c : {'.', '/', '>', '<', '-'}) table[c] = kExtendedName;
  return table;
}();

bool IsNameChar(char c, bool extended) {
  const NameClass name_class = kNameClass[static_cast<uint8_t>(c)];
  return name_class == kPlainName || (extended && name_class == kExtendedName);
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

void TextScanner::SkipBlanks() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (IsBlank(c) || (c == '\n' && open_ > 0)) continue;
    if (c != '#') return;
    at_ = std::min(text_.find('\n', at_), text_.size());
    if (open_ == 0 || at_ == text_.size()) return;
  }
}

bool TextScanner::NextLine() {
  open_ = 0;
  for (SkipBlanks(); at_ < text_.size() && text_[at_] == '\n'; SkipBlanks()) ++at_;
  indented_ = at_ > 0 && at_ < text_.size() && IsBlank(text_[at_ - 1]);
  return at_ < text_.size();
}

bool TextScanner::AtLineEnd() {
  SkipBlanks();
  return at_ == text_.size() || text_[at_] == '\n';
}

bool TextScanner::Accept(absl::string_view token) {
  SkipBlanks();
  // Tokens are one or two characters long: a loop is faster than a call of memcmp.
  for (size_t i = 0; i < token.size(); ++i) {
    if (at_ + i >= text_.size() || text_[at_ + i] != token[i]) return false;
  }
  at_ += token.size();
  const char last = token.back();
  if (last == '(' || last == '[' || last == '{') ++open_;
  if (last == ')' || last == ']' || last == '}') --open_;
  return true;
}

bool TextScanner::Peek(char c) {
  SkipBlanks();
  return at_ < text_.size() && text_[at_] == c;
}

bool TextScanner::AcceptName(absl::string_view name) {
  SkipBlanks();
  const absl::string_view rest = text_.substr(at_);
  if (!absl::StartsWith(rest, name)) return false;
  if (rest.size() > name.size() && IsNameChar(rest[name.size()], false)) return false;
  at_ += name.size();
  return true;
}

absl::Status TextScanner::Expect(absl::string_view token) {
  if (Accept(token)) return absl::OkStatus();
  return Error("expected '", token, "', found ", Next());
}

absl::StatusOr<absl::string_view> TextScanner::Name(absl::string_view what, bool extended) {
  SkipBlanks();
  const size_t begin = at_;
  while (at_ < text_.size() && IsNameChar(text_[at_], extended)) ++at_;
  if (at_ == begin) return Error("expected ", what, ", found ", Next());
  return text_.substr(begin, at_ - begin);
}

absl::string_view TextScanner::NumberText() {
  SkipBlanks();
  const size_t begin = at_;
  while (at_ < text_.size() && (absl::ascii_isalnum(text_[at_]) || text_[at_] == '-' ||
                                text_[at_] == '+' || text_[at_] == '.')) {
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

absl::StatusOr<int64_t> TextScanner::Int() {
  const absl::string_view number = NumberText();
  int64_t value;
  if (absl::SimpleAtoi(number, &value)) return value;
  return Error("expected an integer, found ",
               number.empty() ? Next() : absl::StrCat("'", number, "'"));
}

absl::StatusOr<double> TextScanner::Float() {
  const absl::string_view number = NumberText();
  double value;
  if (absl::SimpleAtod(number, &value)) return value;
  return Error("expected a number, found ",
               number.empty() ? Next() : absl::StrCat("'", number, "'"));
}

absl::StatusOr<std::string> TextScanner::Quoted() {
  SkipBlanks();
  if (at_ == text_.size() || text_[at_] != '"')
    return Error("expected a string in quotes, found ", Next());
  const size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n')
    at_ += text_[at_] == '\\' ? 2 : 1;
  if (at_ >= text_.size() || text_[at_] != '"') {
    at_ = begin;
    return Error("a string has no closing quote");
  }
  std::string value, error;
  if (!absl::CUnescape(text_.substr(begin, at_ - begin), &value, &error)) return Error(error);
  ++at_;
  return value;
}

absl::string_view TextScanner::RestOfLine() {
  const size_t begin = at_;
  at_ = std::min(text_.find('\n', at_), text_.size());
  return absl::StripAsciiWhitespace(text_.substr(begin, at_ - begin));
}

std::string TextScanner::Next() {
  if (AtLineEnd()) return at_ == text_.size() ? "the end of the text" : "the end of the line";
  size_t end = at_;
  while (end < text_.size() && IsNameChar(text_[end], false)) ++end;
  return absl::StrCat("'", absl::CEscape(text_.substr(at_, std::max<size_t>(end - at_, 1))), "'");
}

absl::Status TextScanner::ErrorAt(size_t place, absl::string_view message) const {
  const size_t end = std::min(place, text_.size());
  const auto line = 1 + std::count(text_.begin(), text_.begin() + end, '\n');
  return absl::InvalidArgumentError(absl::StrCat(file_, ":", line, ": ", message));
}

}  // namespace sluice
