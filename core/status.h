// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_STATUS_H_
#define SLUICE_CORE_STATUS_H_

#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// Errors are absl::Status. Builders accept any mix of strings, numbers and our own values (shapes,
// dtypes):
//   return InvalidArgument("operands must be matrices, got ", a.shape(), " and ", b.shape());

namespace sluice {

namespace internal {
template <typename T>
auto Piece(const T& value) {
  if constexpr (requires { value.ToString(); }) {
    return value.ToString();
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(
        Name(value));  // Name(DType), Name(AttrKind), ... by argument-dependent lookup
  } else if constexpr (std::is_same_v<T, bool>) {
    return absl::string_view(value ? "true" : "false");
  } else if constexpr (std::is_convertible_v<const T&, absl::string_view>) {
    return absl::string_view(value);
  } else {
    return value;
  }
}
}  // namespace internal

// Concatenates as absl::StrCat does. It also accepts objects with ToString() and enums with a
// Name().
template <typename... Args>
std::string Cat(const Args&... args) {
  return absl::StrCat(internal::Piece(args)...);
}

template <typename... Args>
absl::Status MakeStatus(absl::StatusCode code, const Args&... args) {
  return absl::Status(code, Cat(args...));
}

template <typename... A>
absl::Status InvalidArgument(const A&... a) {
  return MakeStatus(absl::StatusCode::kInvalidArgument, a...);
}
template <typename... A>
absl::Status NotFound(const A&... a) {
  return MakeStatus(absl::StatusCode::kNotFound, a...);
}
template <typename... A>
absl::Status AlreadyExists(const A&... a) {
  return MakeStatus(absl::StatusCode::kAlreadyExists, a...);
}
template <typename... A>
absl::Status FailedPrecondition(const A&... a) {
  return MakeStatus(absl::StatusCode::kFailedPrecondition, a...);
}
template <typename... A>
absl::Status OutOfRange(const A&... a) {
  return MakeStatus(absl::StatusCode::kOutOfRange, a...);
}
template <typename... A>
absl::Status Unimplemented(const A&... a) {
  return MakeStatus(absl::StatusCode::kUnimplemented, a...);
}
template <typename... A>
absl::Status Internal(const A&... a) {
  return MakeStatus(absl::StatusCode::kInternal, a...);
}
template <typename... A>
absl::Status Unavailable(const A&... a) {
  return MakeStatus(absl::StatusCode::kUnavailable, a...);
}
template <typename... A>
absl::Status Aborted(const A&... a) {
  return MakeStatus(absl::StatusCode::kAborted, a...);
}
template <typename... A>
absl::Status Cancelled(const A&... a) {
  return MakeStatus(absl::StatusCode::kCancelled, a...);
}
template <typename... A>
absl::Status DeadlineExceeded(const A&... a) {
  return MakeStatus(absl::StatusCode::kDeadlineExceeded, a...);
}
template <typename... A>
absl::Status ResourceExhausted(const A&... a) {
  return MakeStatus(absl::StatusCode::kResourceExhausted, a...);
}
template <typename... A>
absl::Status DataLoss(const A&... a) {
  return MakeStatus(absl::StatusCode::kDataLoss, a...);
}

// The same code with "context: " before the message. OK stays OK. Payloads are kept.
absl::Status Annotate(const absl::Status& status, absl::string_view context);

// A derived error follows from another one (an aborted rendezvous, a cancelled sibling). The first
// cause is reported.
absl::Status MarkDerived(absl::Status status);
bool IsDerived(const absl::Status& status);

}  // namespace sluice

#define SLUICE_CONCAT_INNER(a, b) a##b
#define SLUICE_CONCAT(a, b) SLUICE_CONCAT_INNER(a, b)

#define SLUICE_RETURN_IF_ERROR(expr)                                                    \
  do {                                                                                  \
    if (absl::Status sluice_status = (expr); !sluice_status.ok()) return sluice_status; \
  } while (false)

// SLUICE_ASSIGN(auto value, ExpressionGivingStatusOr());
#define SLUICE_ASSIGN(decl, expr) \
  SLUICE_ASSIGN_INNER(SLUICE_CONCAT(sluice_or_, __LINE__), decl, expr)
#define SLUICE_ASSIGN_INNER(tmp, decl, expr)     \
  auto tmp = (expr);                             \
  if (!tmp.ok()) return std::move(tmp).status(); \
  decl = *std::move(tmp)

#endif  // SLUICE_CORE_STATUS_H_
