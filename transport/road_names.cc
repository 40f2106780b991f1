#include "transport/road_names.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace sluice::transport {
namespace {

// The best first.
const RoadNames& AllRoads() {
  static const auto* const names = new RoadNames{"inproc", "shm", "tcp", kGrpcRoad};
  return *names;
}

}  // namespace

bool Has(const RoadNames& names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

absl::StatusOr<RoadNames> ParseRoads(const std::string& text) {
  if (text.empty() || text == "auto") return AllRoads();
  RoadNames named, forbidden;
  for (absl::string_view item : absl::StrSplit(text, ',')) {
    RoadNames& to = absl::ConsumePrefix(&item, "-") ? forbidden : named;
    if (!Has(AllRoads(), item))
      return InvalidArgument("there is no transport \"", item, "\"; there are ",
                             absl::StrJoin(AllRoads(), ", "));
    if (!Has(to, item)) to.emplace_back(item);
  }
  RoadNames roads = named.empty() ? AllRoads() : named;
  std::erase_if(roads, [&](const std::string& name) { return Has(forbidden, name); });
  if (roads.empty()) return InvalidArgument("\"", text, "\" leaves no transport");
  return roads;
}

}  // namespace sluice::transport
