// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/runtime/copy_objects.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "core/codec/codec.h"

namespace sluice::kernels {
namespace {

// One copy in progress. Objects become OpaqueVariants, which every kernel decodes: they arrive from
// other tasks in this form.
class ObjectCopy : public std::enable_shared_from_this<ObjectCopy> {
 public:
  ObjectCopy(Tensor variants, Copied done)
      : variants_(std::move(variants)), done_(std::move(done)) {
    Encode(variants_);
  }

  void Start(const std::function<void(const Tensor&, Copied)>& copy) {
    // One more than the tensors, for this call: the last copy may end during the loop.
    pending_ = static_cast<int64_t>(plain_.size()) + 1;
    for (size_t i = 0; i < plain_.size(); ++i) {
      copy(plain_[i], [self = shared_from_this(), i](absl::StatusOr<Tensor> copied) {
        self->Finish(i, std::move(copied));
      });
    }
    FinishOne();
  }

 private:
  struct Encoded {
    std::string metadata;
    std::vector<Tensor> tensors;
    bool shared = false;  // the object has no wire form
  };

  static bool IsCopied(const Tensor& tensor) {
    return tensor.valid() && IsPlain(tensor.dtype()) && tensor.bytes() > 0;
  }

  // Lists the objects and the plain tensors in the order in which Rebuild visits them.
  void Encode(const Tensor& variants) {
    for (const Variant& variant : variants.flat<Variant>()) {
      if (variant.empty()) continue;
      Encoded encoded;
      encoded.shared = !variant.get()->Encode(&encoded.metadata, &encoded.tensors).ok();
      if (encoded.shared) encoded.tensors.clear();
      const std::vector<Tensor> tensors = encoded.tensors;
      objects_.push_back(std::move(encoded));
      for (const Tensor& tensor : tensors) {
        if (tensor.valid() && tensor.dtype() == kVariant) Encode(tensor);
        if (IsCopied(tensor)) plain_.push_back(tensor);
      }
    }
  }

  Tensor Rebuild(const Tensor& variants) {
    Tensor rebuilt(kVariant, variants.shape());
    for (int64_t i = 0; i < variants.num_elements(); ++i) {
      const Variant& variant = variants.flat<Variant>()[static_cast<size_t>(i)];
      Variant& made = rebuilt.mutable_data<Variant>()[i];
      made = variant;
      if (variant.empty()) continue;
      Encoded encoded = std::move(objects_[next_object_++]);
      if (encoded.shared) continue;
      for (Tensor& tensor : encoded.tensors) {
        if (IsCopied(tensor)) {
          tensor = std::move(plain_[next_plain_++]);
        } else if (tensor.valid() && tensor.dtype() == kVariant) {
          tensor = Rebuild(tensor);
        }
      }
      made = Variant(MakeRefCounted<OpaqueVariant>(std::string(variant.get()->type_name()),
                                                   std::move(encoded.metadata),
                                                   std::move(encoded.tensors)));
    }
    return rebuilt;
  }

  void Finish(size_t i, absl::StatusOr<Tensor> copied) {
    if (copied.ok()) {
      plain_[i] = *std::move(copied);
    } else {
      absl::MutexLock lock(&mu_);
      status_.Update(copied.status());
    }
    FinishOne();
  }

  void FinishOne() {
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    const absl::Status status = first_error();
    if (status.ok())
      done_(Rebuild(variants_));
    else
      done_(status);
  }

  absl::Status first_error() {
    absl::MutexLock lock(&mu_);
    return status_;
  }

  const Tensor variants_;
  Copied done_;
  std::vector<Encoded> objects_;
  std::vector<Tensor> plain_;  // each replaced by its copy
  size_t next_object_ = 0, next_plain_ = 0;
  std::atomic<int64_t> pending_{0};
  absl::Mutex mu_;
  absl::Status status_ ABSL_GUARDED_BY(mu_);
};

}  // namespace

void CopyObjects(const Tensor& variants, const std::function<void(const Tensor&, Copied)>& copy,
                 Copied done) {
  std::make_shared<ObjectCopy>(variants, std::move(done))->Start(copy);
}

}  // namespace sluice::kernels
