// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/resource.h"

#include <utility>

namespace sluice {
namespace {

absl::string_view OrDefault(absl::string_view container) {
  return container.empty() ? ResourceStore::kDefaultContainer : container;
}

absl::Status Missing(absl::string_view container, absl::string_view name,
                     absl::string_view type_name) {
  return NotFound("Resource ", OrDefault(container), "/", name, "/", type_name, " does not exist.");
}

std::string Describe(absl::string_view kind, const Tensor& value, DType dtype) {
  if (!value.valid()) return Cat(kind, " of ", dtype, ", uninitialised");
  return Cat(kind, " ", value);
}

}  // namespace

// The zero byte keeps ("a/b", "c") and ("a", "b/c") apart. The container comes first, so that Clear
// finds its entries.
std::string ResourceStore::Key(absl::string_view container, absl::string_view type,
                               absl::string_view name) {
  constexpr absl::string_view kEnd("\0", 1);
  return absl::StrCat(OrDefault(container), kEnd, type, kEnd, name);
}

absl::StatusOr<RefPtr<Resource>> ResourceStore::Find(absl::string_view container,
                                                     const std::type_info& type,
                                                     absl::string_view type_name,
                                                     absl::string_view name) const {
  auto none = []() -> absl::StatusOr<RefPtr<Resource>> { return RefPtr<Resource>(); };
  SLUICE_ASSIGN(RefPtr<Resource> found, const_cast<ResourceStore*>(this)->FindOrMake(
                                            container, type, type_name, name, none));
  if (!found) return Missing(container, name, type_name);
  return found;
}

absl::StatusOr<RefPtr<Resource>> ResourceStore::FindOrMake(
    absl::string_view container, const std::type_info& type, absl::string_view type_name,
    absl::string_view name, absl::FunctionRef<absl::StatusOr<RefPtr<Resource>>()> create) {
  const std::string key = Key(container, type_name, name);
  absl::MutexLock lock(&mu_);
  const auto it = entries_.find(key);
  if (it != entries_.end()) {
    if (*it->second.type == type) return it->second.resource;
    return InvalidArgument("resource ", OrDefault(container), "/", name, " of type ", type_name,
                           " is of another class than the one asked for");
  }
  SLUICE_ASSIGN(RefPtr<Resource> made, create());
  if (made) entries_.emplace(key, Entry{made, &type});
  return made;
}

absl::Status ResourceStore::Delete(absl::string_view container, absl::string_view type_name,
                                   absl::string_view name) {
  RefPtr<Resource> dropped;  // destroyed without the lock
  absl::MutexLock lock(&mu_);
  const auto it = entries_.find(Key(container, type_name, name));
  if (it == entries_.end()) return Missing(container, name, type_name);
  dropped = std::move(it->second.resource);
  dropped->mark_removed();
  entries_.erase(it);
  return absl::OkStatus();
}

void ResourceStore::Clear(absl::string_view container) {
  const std::string prefix = Key(container, "", "").substr(0, OrDefault(container).size() + 1);
  std::vector<RefPtr<Resource>> dropped;
  {
    absl::MutexLock lock(&mu_);
    for (auto it = entries_.begin(); it != entries_.end();) {
      if (absl::string_view(it->first).substr(0, prefix.size()) == prefix) {
        it->second.resource->mark_removed();
        dropped.push_back(std::move(it->second.resource));
        entries_.erase(it++);
      } else {
        ++it;
      }
    }
  }
}

void ResourceStore::ClearAll() {
  absl::flat_hash_map<std::string, Entry> dropped;
  {
    absl::MutexLock lock(&mu_);
    dropped.swap(entries_);
  }
  for (auto& [key, entry] : dropped) entry.resource->mark_removed();
}

int64_t ResourceStore::size() const {
  absl::MutexLock lock(&mu_);
  return static_cast<int64_t>(entries_.size());
}

std::string RefVariable::ToString() const {
  absl::ReaderMutexLock lock(&guard->mu);
  return Describe(absl::StrCat("reference variable ", name), value, dtype);
}

std::string ResourceVariable::ToString() const {
  absl::ReaderMutexLock lock(&mu);
  return Describe("variable", value, dtype);
}

}  // namespace sluice
