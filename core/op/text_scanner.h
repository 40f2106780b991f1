// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_TEXT_SCANNER_H_
#define SLUICE_CORE_OP_TEXT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace sluice {

// A TextScanner reads a small text format in which a line is a statement. It handles blanks,
// comments (# to the end of the line), names, numbers and quoted strings. Its errors contain the
// position ("math.ops:12: expected ...").
//
// A line continues where a bracket is open: between ( and ), [ and ], { and }, a line end is a
// blank like any other.
// Owner:    the text must outlive the scanner.
// Threads:  one at a time.
class TextScanner {
 public:
  TextScanner(absl::string_view file, absl::string_view text) : file_(file), text_(text) {}

  // Moves to the first word of the next line that has one. False at the end of the text.
  bool NextLine();
  // True if that line begins with a blank.
  bool indented() const { return indented_; }
  // True if nothing but blanks and a comment is left of the line.
  bool AtLineEnd();

  // Accepts `token` if it comes next. A token that is a bracket opens or closes a level.
  bool Accept(absl::string_view token);
  bool Peek(char c);  // true if `c` comes next
  // The same as Accept for a whole name: AcceptName("op") does not match the beginning of "opaque".
  bool AcceptName(absl::string_view name);
  absl::Status Expect(absl::string_view token);

  // Letters, digits and underscores; in `extended` names dots, slashes and angle brackets too.
  absl::StatusOr<absl::string_view> Name(absl::string_view what, bool extended = false);
  absl::StatusOr<int64_t> Int();
  absl::StatusOr<double> Float();
  // A string in double quotes; \n, \t, \", \\ and \xHH are escapes.
  absl::StatusOr<std::string> Quoted();
  absl::string_view RestOfLine();

  // INVALID_ARGUMENT with file and line before the message.
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    return ErrorAt(at_, absl::StrCat(parts...));
  }
  size_t size() const { return text_.size(); }
  // The same for an earlier position.
  size_t place() const { return at_; }
  absl::Status ErrorAt(size_t place, absl::string_view message) const;

 private:
  void SkipBlanks();
  absl::string_view NumberText();
  // The next token for an error text: a name, a character, or the end of the line.
  std::string Next();

  absl::string_view file_;
  absl::string_view text_;
  size_t at_ = 0;
  int open_ = 0;  // open brackets
  bool indented_ = false;
};

}  // namespace sluice

#endif  // SLUICE_CORE_OP_TEXT_SCANNER_H_
