// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_VERSION_H_
#define SLUICE_CORE_VERSION_H_

namespace sluice {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace sluice

#endif  // SLUICE_CORE_VERSION_H_
