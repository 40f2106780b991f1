// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/device.h"

#include <utility>

#include "core/random_incarnation.h"

namespace sluice {
namespace {

DeviceName ParsedOrEmpty(absl::string_view name) {
  absl::StatusOr<DeviceName> parsed = DeviceName::Parse(name);
  return parsed.ok() ? *std::move(parsed) : DeviceName();
}

DeviceAttributes Complete(DeviceAttributes attributes) {
  if (attributes.incarnation == 0) attributes.incarnation = RandomIncarnation();
  if (attributes.type.empty())
    attributes.type = ParsedOrEmpty(attributes.name).type.value_or("CPU");
  return attributes;
}

}  // namespace

Device::Device(DeviceAttributes attributes)
    : attributes_(Complete(std::move(attributes))), parsed_name_(ParsedOrEmpty(attributes_.name)) {}

}  // namespace sluice
