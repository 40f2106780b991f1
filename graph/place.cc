// SPDX-License-Identifier: Apache-2.0
#include "graph/place.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"

namespace sluice::graph {
namespace {

constexpr absl::string_view kColocate = "loc:@";
constexpr int kNone = -1;

// A set of kernel classes: devices of one type that share a kernel table are one class.
class ClassSet {
 public:
  void Add(int i) {
    if (i / 64 >= static_cast<int>(bits_.size())) bits_.resize(i / 64 + 1, 0);
    bits_[i / 64] |= uint64_t{1} << (i % 64);
  }
  bool contains(int i) const {
    return i / 64 < static_cast<int>(bits_.size()) && (bits_[i / 64] >> (i % 64) & 1) != 0;
  }
  bool empty() const {
    return std::all_of(bits_.begin(), bits_.end(), [](uint64_t word) { return word == 0; });
  }
  ClassSet And(const ClassSet& other) const {
    ClassSet both;
    both.bits_.resize(std::min(bits_.size(), other.bits_.size()));
    for (size_t i = 0; i < both.bits_.size(); ++i) both.bits_[i] = bits_[i] & other.bits_[i];
    return both;
  }
  void AppendTo(std::string& key) const {
    for (uint64_t word : bits_) absl::StrAppend(&key, ";", word);
  }

 private:
  absl::InlinedVector<uint64_t, 1> bits_;
};

// The classes that have a kernel; `any` if none has. Then no device is better than another, and the
// step fails later.
struct Support {
  bool any = true;
  bool on_host = false;  // see WorksOnHost
  ClassSet classes;

  bool prefers_host() const { return any || on_host; }
};

// Whether a kernel for GPUs of an op with side effects has all its values in host memory. Then a
// node without a device is placed on the CPU: on a GPU, its values would be copied twice.
bool WorksOnHost(const OpDef& op, const KernelSignature& kernel) {
  const auto on_host = [&](const ArgDef& arg) {
    return arg.type == kResource || absl::c_linear_search(kernel.host.args, arg.name);
  };
  const auto has_values = [](const ArgDef& arg) { return !arg.type_attr.empty(); };
  return op.stateful && absl::c_any_of(op.outputs, has_values) &&
         absl::c_all_of(op.inputs, on_host) && absl::c_all_of(op.outputs, on_host);
}

// Nodes that must share a device. `device` is set once it is decided, `placed` if an earlier call
// decided it.
struct Group {
  DeviceName spec;
  DeviceName home;  // the part that no edge overrides: the request or the device of its variables
  Support support;
  std::string device;
  bool placed = false;
};

// Conflicting parts of two specs.
bool TaskConflicts(const DeviceName& a, const DeviceName& b) {
  return (a.job && b.job && *a.job != *b.job) ||
         (a.replica && b.replica && *a.replica != *b.replica) ||
         (a.task && b.task && *a.task != *b.task);
}
bool TypeConflicts(const DeviceName& a, const DeviceName& b) {
  return a.type && b.type && *a.type != *b.type;
}
bool IdConflicts(const DeviceName& a, const DeviceName& b) {
  return a.id && b.id && *a.id != *b.id;
}
bool Conflicts(const DeviceName& a, const DeviceName& b) {
  return TaskConflicts(a, b) || TypeConflicts(a, b) || IdConflicts(a, b);
}

int Priority(const PlaceableDevice& device) {
  if (device.type == kGpu) return 210;
  return device.type == kCpu ? 70 : 60;
}

// Ops that only pass a resource on, to a function or a data set: they may be anywhere.
bool ExemptFromResourceEdges(const Node& node) {
  return node.op_def() == nullptr || node.op_def()->dataset || IsFunctional(node.kind()) ||
         node.kind() == OpKind::kIdentityN;
}

bool IsGenerator(const Node& node) {
  return node.num_inputs() == 0 && node.num_outputs() == 1 && !IsRef(node.output_types[0]);
}

// The source of a variable, a queue or another resource.
bool IsSource(const Node& node) {
  return node.num_inputs() == 0 && node.num_outputs() == 1 &&
         (IsRef(node.output_types[0]) || node.output_types[0] == kResource);
}

bool ReadsShapeOnly(const Node& node) {
  return node.op_def() != nullptr && node.op_def()->shape_only;
}

class Placer {
 public:
  Placer(Graph& graph, const std::vector<PlaceableDevice>& devices, const PlaceOptions& options)
      : graph_(graph), devices_(devices), options_(options) {}

  absl::Status Run() {
    int first = 0;
    while (first < graph_.num_ids() &&
           (graph_.by_id(first) == nullptr || !graph_.by_id(first)->device.empty()))
      ++first;
    if (first == graph_.num_ids()) return absl::OkStatus();
    SLUICE_ASSIGN(order_, graph_.TopologicalOrder(first));
    std::erase_if(order_, [](const Node* node) { return !node->device.empty(); });
    as_made_.assign(order_.begin(), order_.end());
    std::sort(as_made_.begin(), as_made_.end(),
              [](const Node* a, const Node* b) { return a->id() < b->id(); });
    SortDevices();
    SLUICE_RETURN_IF_ERROR(MakeGroups());
    SLUICE_RETURN_IF_ERROR(JoinByEdges());
    SLUICE_RETURN_IF_ERROR(JoinByClass());
    SLUICE_RETURN_IF_ERROR(ChooseAll());
    for (Node* node : order_) node->device = GroupOf(*node).device;
    return absl::OkStatus();
  }

 private:
  // ---- Devices and kernels.

  void SortDevices() {
    absl::flat_hash_map<std::pair<const KernelTable*, absl::string_view>, int> classes;
    for (const PlaceableDevice& device : devices_) {
      auto [it, added] =
          classes.try_emplace({device.kernels, device.type}, static_cast<int>(classes_.size()));
      if (added) classes_.push_back(&device);
      by_name_.emplace(device.name, static_cast<int>(class_of_.size()));
      class_of_.push_back(it->second);
    }
    by_preference_.resize(devices_.size());
    std::iota(by_preference_.begin(), by_preference_.end(), 0);
    by_host_ = by_preference_;
    std::sort(by_preference_.begin(), by_preference_.end(), [&](int a, int b) {
      const int pa = Priority(devices_[a]), pb = Priority(devices_[b]);
      return pa != pb ? pa > pb : devices_[a].name < devices_[b].name;
    });
    std::sort(by_host_.begin(), by_host_.end(), [&](int a, int b) {
      const bool ca = devices_[a].type == kCpu, cb = devices_[b].type == kCpu;
      return ca != cb ? ca : devices_[a].name < devices_[b].name;
    });
  }

  // This depends only on the op, its type attributes and the kernel label, so it is looked up once
  // for equal nodes.
  const Support& SupportOf(const Node& node) {
    std::string key = node.op();
    for (const auto& [name, attr] : node.attrs) {
      if (const DType* type = attr.get_if<DType>()) {
        absl::StrAppend(&key, ";", static_cast<int>(*type));
      } else if (const auto* types = attr.get_if<std::vector<DType>>()) {
        for (DType t : *types) absl::StrAppend(&key, ",", static_cast<int>(t));
        key += ';';
      } else if (name == "_kernel") {
        absl::StrAppend(&key, ";", attr.ToString());
      }
    }
    auto [it, added] = support_.try_emplace(std::move(key));
    Support& support = it->second;
    if (!added || node.op_def() == nullptr) return support;
    for (size_t i = 0; i < classes_.size(); ++i) {
      const PlaceableDevice& device = *classes_[i];
      const int kernel = device.kernels == nullptr
                             ? kNone
                             : device.kernels->Find(node.op(), device.type, node.attrs);
      if (kernel < 0) continue;
      if (device.type == kGpu && WorksOnHost(*node.op_def(), device.kernels->at(kernel)))
        support.on_host = true;
      support.classes.Add(static_cast<int>(i));
      support.any = false;
    }
    return support;
  }

  // ---- Groups: a union-find over node ids.

  absl::Status MakeGroups() {
    parent_.resize(graph_.num_ids());
    std::iota(parent_.begin(), parent_.end(), 0);
    group_index_.resize(graph_.num_ids(), kNone);
    for (Node* node : order_) {
      SLUICE_ASSIGN(DeviceName spec, Parse(node->requested_device, *node));
      group_index_[node->id()] = static_cast<int>(groups_.size());
      groups_.push_back({.spec = spec,
                         .home = IsSource(*node) ? spec : DeviceName(),
                         .support = SupportOf(*node),
                         .device = "",
                         .placed = false});
    }
    return absl::OkStatus();
  }

  absl::StatusOr<DeviceName> Parse(const std::string& text, const Node& node) {
    auto [it, added] = parsed_.try_emplace(text);
    if (added) {
      auto spec = DeviceName::Parse(text);
      if (!spec.ok()) {
        parsed_.erase(it);
        return Annotate(spec.status(), node.Label());
      }
      it->second = *std::move(spec);
    }
    return it->second;
  }

  int Root(int id) {
    while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
    return id;
  }
  Group& GroupOf(const Node& node) {
    int& index = group_index_[Root(node.id())];
    if (index == kNone) {  // placed by an earlier call, and seen now for the first time
      index = static_cast<int>(groups_.size());
      auto spec = DeviceName::Parse(node.device);
      if (!spec.ok()) spec = DeviceName();
      groups_.push_back(
          {.spec = *spec, .home = *spec, .support = {}, .device = node.device, .placed = true});
    }
    return groups_[index];
  }

  // Joins the groups of two nodes. If best_effort is set, a conflict is ignored.
  absl::Status Join(const Node& a, const Node& b, bool best_effort) {
    const int root_a = Root(a.id()), root_b = Root(b.id());
    if (root_a == root_b) return absl::OkStatus();
    Group& ga = GroupOf(a);
    Group& gb = GroupOf(b);

    Support support = ga.support;
    if (!gb.support.any) {
      if (support.any) {
        support = gb.support;
      } else {
        support.on_host = support.on_host || gb.support.on_host;
        support.classes = support.classes.And(gb.support.classes);
        if (support.classes.empty()) return best_effort ? absl::OkStatus() : NoCommonType(a, b);
      }
    }
    if (ga.placed && gb.placed && ga.device != gb.device)
      return best_effort ? absl::OkStatus() : CannotColocate(a, ga, b, gb);
    DeviceName spec = ga.spec;
    if (Conflicts(ga.spec, gb.spec)) {
      if (!options_.allow_soft_placement || TaskConflicts(ga.spec, gb.spec))
        return best_effort ? absl::OkStatus() : CannotColocate(a, ga, b, gb);
      if (gb.placed) spec = gb.spec;
      if (!ga.placed && !gb.placed) {
        if (TypeConflicts(ga.spec, gb.spec)) {
          spec.type.reset();
          spec.id.reset();
          DeviceName rest = gb.spec;
          rest.type.reset();
          rest.id.reset();
          spec.MergeOver(rest);
        } else {
          spec.MergeOver(gb.spec);
          spec.id.reset();
        }
      }
    } else {
      spec.MergeOver(gb.spec);
    }
    ga.spec = std::move(spec);
    ga.home.MergeOver(gb.home);
    ga.support = std::move(support);
    if (gb.placed) ga.device = gb.device;
    ga.placed = ga.placed || gb.placed;
    parent_[root_b] = root_a;
    return absl::OkStatus();
  }

  // The writer of a variable, and the users of a resource, are placed with it.
  absl::Status JoinByEdges() {
    for (const Node* node : as_made_) {
      const bool exempt = ExemptFromResourceEdges(*node);
      for (int i = 0; i < node->num_inputs(); ++i) {
        const DType type = node->input_types[i];
        const Edge* edge = node->input(i);
        if (edge == nullptr || !(IsRef(type) || (type == kResource && !exempt))) continue;
        SLUICE_RETURN_IF_ERROR(Follow(*edge->src, *node));
        SLUICE_RETURN_IF_ERROR(Join(*edge->src, *node, false));
      }
    }
    return absl::OkStatus();
  }

  // If a consumer requests another device than its variable's, it silently gets the variable's, and
  // so does its group.
  absl::Status Follow(const Node& variable, const Node& consumer) {
    const Group& leader = GroupOf(variable);
    Group& group = GroupOf(consumer);
    if (&leader == &group || !Conflicts(leader.spec, group.spec)) return absl::OkStatus();
    if (Conflicts(leader.home, group.home))
      return IncompatibleHomes(variable, leader, consumer, group);
    group.spec = group.home;
    group.spec.MergeOver(leader.spec);
    return absl::OkStatus();
  }

  absl::Status JoinByClass() {
    absl::flat_hash_map<absl::string_view, const Node*> absent;  // names that no node has
    for (const Node* node : as_made_) {
      auto it = node->attrs.find("_class");
      if (it == node->attrs.end()) continue;
      const auto* entries = it->second.get_if<std::vector<std::string>>();
      if (entries == nullptr) continue;  // an empty list
      for (absl::string_view entry : *entries) {
        if (!absl::ConsumePrefix(&entry, kColocate)) continue;
        const Node* mate = graph_.Find(entry);
        if (mate == nullptr) mate = absent.try_emplace(entry, node).first->second;
        // A node that passes on resources from many devices is placed with any one of them.
        const bool by_chance = ExemptFromResourceEdges(*mate) && mate->requested_device.empty();
        const bool best_effort = options_.allow_soft_placement || by_chance;
        SLUICE_RETURN_IF_ERROR(Join(*mate, *node, best_effort));
      }
    }
    return absl::OkStatus();
  }

  // ---- Choice.

  absl::Status ChooseAll() {
    std::vector<Node*> generators;
    for (Node* node : order_) {
      Group& group = GroupOf(*node);
      if (!group.device.empty()) continue;
      if (IsGenerator(*node)) {
        generators.push_back(node);
        continue;
      }
      if (ReadsShapeOnly(*node) && node->input(0) != nullptr &&
          FollowTo(group, DeviceOf(*node->input(0)->src)))
        continue;
      SLUICE_RETURN_IF_ERROR(Choose(*node, group));
    }
    for (Node* node : generators) {
      Group& group = GroupOf(*node);
      if (!group.device.empty() || FollowTo(group, ConsumersDevice(*node))) continue;
      SLUICE_RETURN_IF_ERROR(Choose(*node, group));
    }
    return absl::OkStatus();
  }

  const std::string& DeviceOf(const Node& node) { return GroupOf(node).device; }

  // The one device of all consumers; empty if there are several.
  std::string ConsumersDevice(const Node& node) {
    std::string device;
    for (const Edge* edge : node.out_edges()) {
      const std::string& consumer = DeviceOf(*edge->dst);
      if (consumer.empty() || (!device.empty() && device != consumer)) return "";
      device = consumer;
    }
    return device;
  }

  // Places the group on `device` if that is allowed.
  bool FollowTo(Group& group, const std::string& device) {
    auto it = by_name_.find(device);
    if (it == by_name_.end() || !Allowed(group.spec, group.support, it->second)) return false;
    group.device = device;
    return true;
  }

  bool Allowed(const DeviceName& spec, const Support& support, int device) const {
    return (support.any || support.classes.contains(class_of_[device])) &&
           spec.Matches(devices_[device].parsed);
  }

  absl::Status Choose(const Node& node, Group& group) {
    int device = Search(group.spec, group.support);
    if (device == kNone && options_.allow_soft_placement && (group.spec.type || group.spec.id)) {
      DeviceName softer = group.spec;
      softer.type.reset();
      softer.id.reset();
      device = Search(softer, group.support);
    }
    if (device == kNone) return CannotAssign(node, group);
    group.device = devices_[device].name;
    return absl::OkStatus();
  }

  int Search(const DeviceName& spec, const Support& support) {
    std::string key = spec.ToString();
    if (!support.any) support.classes.AppendTo(key);
    if (support.on_host) key += ";host";
    auto [it, added] = chosen_.try_emplace(std::move(key), kNone);
    if (!added) return it->second;
    for (int device : support.prefers_host() ? by_host_ : by_preference_) {
      if (!Allowed(spec, support, device)) continue;
      it->second = device;
      break;
    }
    return it->second;
  }

  // ---- Errors. Clients match on "Cannot assign a device for operation" and "available devices".

  absl::Status NoCommonType(const Node& a, const Node& b) const {
    return InvalidArgument("Cannot colocate nodes ", Colocated(a), " and ", Colocated(b),
                           " because no device type supports both of those nodes and the other "
                           "nodes colocated with them.",
                           At(b));
  }

  absl::Status IncompatibleHomes(const Node& a, const Group& ga, const Node& b,
                                 const Group& gb) const {
    return InvalidArgument(
        "Cannot place the graph because a reference or resource edge connects colocation groups "
        "with incompatible resource devices: ",
        ga.home, " vs ", gb.home, ". The edge src node is ", a.name(), " , and the dst node is ",
        b.name(), At(b));
  }

  absl::Status CannotColocate(const Node& a, const Group& ga, const Node& b,
                              const Group& gb) const {
    return InvalidArgument("Cannot colocate nodes ", Colocated(a), " and ", Colocated(b),
                           ": Cannot merge devices with incompatible ",
                           DifferingPart(ga.spec, gb.spec), ": '", ga.spec, "' and '", gb.spec, "'",
                           At(b));
  }

  // TensorFlow's clients replace these by the line that made the node.
  static std::string Colocated(const Node& node) {
    return absl::StrCat("{{colocation_node ", node.name(), "}}");
  }
  static std::string At(const Node& node) {
    return absl::StrCat("\n\t [[{{node ", node.name(), "}}]]");
  }

  static absl::string_view DifferingPart(const DeviceName& a, const DeviceName& b) {
    const auto differ = [](const auto& x, const auto& y) { return x && y && *x != *y; };
    if (differ(a.job, b.job)) return "jobs";
    if (differ(a.replica, b.replica)) return "replicas";
    if (differ(a.task, b.task)) return "tasks";
    return differ(a.type, b.type) ? "types" : "ids";
  }

  bool AnyGpu() const {
    return std::any_of(devices_.begin(), devices_.end(),
                       [](const PlaceableDevice& device) { return device.type == kGpu; });
  }

  std::string WhyNoGpu() const {
    constexpr char kNone[] = " The requested device appears to be a GPU, but no task has one";
    return options_.no_gpu.empty() ? Cat(kNone, ".") : Cat(kNone, ": ", options_.no_gpu, ".");
  }

  absl::Status CannotAssign(const Node& node, const Group& group) const {
    const std::string asked = group.spec.ToString();
    const std::string start = Cat("Cannot assign a device for operation ", node.name(), ": ");
    std::vector<absl::string_view> names;
    bool matched = false;
    for (int i : by_preference_) {
      names.push_back(devices_[i].name);
      matched = matched || group.spec.Matches(devices_[i].parsed);
    }
    const std::string available = absl::StrJoin(names, ", ");
    const std::string hint = group.spec.type == kGpu && !AnyGpu() ? WhyNoGpu() : "";
    // The node's own request and its group's are shown, where they differ.
    const auto own = parsed_.find(node.requested_device);
    if (!matched && !node.requested_device.empty() && own != parsed_.end() &&
        own->second != group.spec) {
      return InvalidArgument(start, "Could not satisfy explicit device specification '",
                             node.requested_device, "' because the node ", Colocated(node),
                             " was colocated with a group of nodes that required incompatible "
                             "device '",
                             asked, "'. All available devices [", available, "].", hint, At(node));
    }
    if (matched) {
      return InvalidArgument(start, "Could not satisfy explicit device specification '", asked,
                             "' because no supported "
                             "kernel for ",
                             group.spec.type.value_or("these"), " devices is available for ",
                             node.Label(), "; available devices are [ ", available, " ]", At(node));
    }
    return InvalidArgument(start, "{{node ", node.name(), "}} was explicitly assigned to ", asked,
                           " but available devices are [ ", available,
                           " ]. Make sure the device specification refers to a valid device.", hint,
                           At(node));
  }

  Graph& graph_;
  const std::vector<PlaceableDevice>& devices_;
  const PlaceOptions& options_;
  std::vector<Node*> order_;          // those without a device, sources first
  std::vector<const Node*> as_made_;  // the same in the order of creation: it decides which of
                                      // several different requests in a group wins

  std::vector<const PlaceableDevice*> classes_;  // one device of each
  std::vector<int> class_of_;                    // by device
  absl::flat_hash_map<absl::string_view, int> by_name_;
  std::vector<int> by_preference_;  // devices, best first
  std::vector<int> by_host_;        // the same for those that prefer the host: the CPUs first
  absl::flat_hash_map<std::string, Support> support_;
  absl::flat_hash_map<std::string, DeviceName> parsed_;
  absl::flat_hash_map<std::string, int> chosen_;

  std::vector<int> parent_;       // by node id
  std::vector<int> group_index_;  // by node id, valid for roots
  std::deque<Group> groups_;      // references stay valid when a group is added
};

}  // namespace

absl::Status Place(Graph& graph, const std::vector<PlaceableDevice>& devices,
                   const PlaceOptions& options) {
  return Placer(graph, devices, options).Run();
}

}  // namespace sluice::graph
