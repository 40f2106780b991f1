// SPDX-License-Identifier: Apache-2.0
#include "core/status.h"

#include "absl/strings/cord.h"

namespace sluice {
namespace {
constexpr absl::string_view kDerivedPayload = "sluice/derived";
}  // namespace

absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok()) return status;
  absl::Status annotated(status.code(), absl::StrCat(context, ": ", status.message()));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    annotated.SetPayload(url, payload);
  });
  return annotated;
}

absl::Status MarkDerived(absl::Status status) {
  if (!status.ok()) status.SetPayload(kDerivedPayload, absl::Cord());
  return status;
}

bool IsDerived(const absl::Status& status) {
  return !status.ok() && status.GetPayload(kDerivedPayload).has_value();
}

}  // namespace sluice
