// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/resource_handle.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/strings/ascii.h"
#include "core/runtime/device.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// A V1 handle: the reference to [container, name], and the resource with that name.
class HandleVariable final : public RefVariable {
 public:
  HandleVariable(std::string container, const std::string& name, RefPtr<Resource> object)
      : RefVariable(kString, name), object(std::move(object)) {
    absl::MutexLock lock(&guard->mu);
    value = Tensor::Vector<std::string>({std::move(container), name});
  }
  const RefPtr<Resource> object;
};

bool IsContainerName(absl::string_view name) {
  if (!absl::ascii_isalnum(name[0]) && name[0] != '.') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '/';
  });
}

std::string PrivateName(absl::string_view node_name) {
  static std::atomic<int64_t> count{0};
  return absl::StrCat("_", count.fetch_add(1), "_", node_name);
}

}  // namespace

absl::StatusOr<ResourcePlace> ResourcePlace::Create(const NodeSpec& node,
                                                    bool shared_by_node_name) {
  ResourcePlace place;
  place.container = GetAttrOr(node.attrs, "container", std::string());
  place.name = GetAttrOr(node.attrs, "shared_name", std::string());
  place.node_name = node.name;
  if (place.container.empty()) {
    place.container = std::string(ResourceStore::kDefaultContainer);
  } else if (!IsContainerName(place.container)) {
    return InvalidArgument("container contains invalid characters: ", place.container);
  }
  if (absl::string_view(place.name).substr(0, 1) == "_")
    return InvalidArgument("shared_name cannot start with '_':", place.name);
  if (place.name.empty() && shared_by_node_name) place.name = node.name;
  return place;
}

RefPtr<RefVariable> RefHandle(std::string container, std::string name, RefPtr<Resource> object) {
  return MakeRefCounted<HandleVariable>(std::move(container), std::move(name), std::move(object));
}

namespace internal {

KeptResource::~KeptResource() {
  absl::MutexLock lock(&mu_);
  if (!place_.name.empty() || !resource_ || resource_->removed()) return;
  (void)store_->Delete(place_.container, resource_->type_name(), name_);
}

absl::Status KeptResource::HandOut(KernelContext& ctx, absl::string_view type_name,
                                   Find find) const {
  absl::MutexLock lock(&mu_);
  if (!resource_ || resource_->removed()) {
    if (name_.empty()) name_ = place_.name.empty() ? PrivateName(place_.node_name) : place_.name;
    SLUICE_ASSIGN(resource_, find(name_));
    store_ = &ctx.resources();
    SetHandles(ctx, type_name);
  }
  if (ctx.output_type(0) == kString)
    ctx.SetOutputRef(0, ref_handle_);
  else
    ctx.SetOutput(0, handle_);
  return absl::OkStatus();
}

void KeptResource::SetHandles(const KernelContext& ctx, absl::string_view type_name) const {
  if (ctx.output_type(0) == kString) {
    ref_handle_ = RefHandle(place_.container, name_, resource_);
    return;
  }
  ResourceHandle handle;
  handle.device = ctx.device().name();
  handle.container = place_.container;
  handle.name = name_;
  handle.type_name = std::string(type_name);
  handle.object = resource_;
  handle_ = Tensor::Scalar<ResourceHandle>(std::move(handle));
}

absl::StatusOr<const ResourceHandle*> OneHandle(const KernelContext& ctx, int input) {
  return HandleOf(ctx, input);
}

absl::StatusOr<RefPtr<Resource>> ObjectOfRef(KernelContext& ctx, int input,
                                             std::pair<std::string, std::string>* names) {
  Tensor strings;
  if (ctx.input_is_ref(input)) {
    RefVariable& variable = ctx.ref_input(input);
    if (const auto* handle = dynamic_cast<HandleVariable*>(&variable)) {
      if (!handle->object->removed()) return handle->object;
    }
    absl::ReaderMutexLock lock(&variable.guard->mu);
    strings = variable.value;
  } else {
    strings = ctx.input(input);
  }
  if (strings.dtype() != kString || strings.num_elements() != 2) {
    return InvalidArgument("input ", input, " must be the two strings of a handle, got ",
                           strings.dtype(), " ", strings.shape());
  }
  *names = {strings.flat<std::string>()[0], strings.flat<std::string>()[1]};
  return RefPtr<Resource>();
}

absl::Status OtherClass(const Resource& resource, absl::string_view wanted) {
  return InvalidArgument("the handle is that of a ", resource.type_name(), " (",
                         resource.ToString(), "), not of a ", wanted);
}

}  // namespace internal
}  // namespace sluice::kernels
