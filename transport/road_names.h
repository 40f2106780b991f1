#ifndef SLUICE_TRANSPORT_ROAD_NAMES_H_
#define SLUICE_TRANSPORT_ROAD_NAMES_H_

#include <string>
#include <vector>

#include "core/status.h"

namespace sluice::transport {

inline constexpr char kGrpcRoad[] = "grpc";  // the transport that the others are beside

// The names of roads in order of preference.
using RoadNames = std::vector<std::string>;
bool Has(const RoadNames& names, absl::string_view name);

// "auto": every road, the best first. "shm,grpc": these in this order and no other; "-shm": every
// road but this. INVALID_ARGUMENT names what is no road.
absl::StatusOr<RoadNames> ParseRoads(const std::string& text);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ROAD_NAMES_H_
