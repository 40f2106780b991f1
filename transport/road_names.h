#ifndef SLUICE_TRANSPORT_ROAD_NAMES_H_
#define SLUICE_TRANSPORT_ROAD_NAMES_H_

#include <string>
#include <vector>

#include "core/status.h"

namespace sluice::transport {

inline constexpr char kGrpcRoad[] = "grpc";  // the transport that the others are beside

// The names of transports in order of preference.
using RoadNames = std::vector<std::string>;
bool Has(const RoadNames& names, absl::string_view name);

// "auto": every transport, the best first. "shm,grpc": these only, in this order; "-shm": all
// except this. INVALID_ARGUMENT names an unknown transport.
absl::StatusOr<RoadNames> ParseRoads(const std::string& text);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ROAD_NAMES_H_
