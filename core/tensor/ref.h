// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_REF_H_
#define SLUICE_CORE_TENSOR_REF_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sluice {

// A RefCounted object is destroyed with its last RefPtr. The count starts at 0; the first RefPtr
// sets it to 1.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;
  void Ref() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void Unref() const {
    // One owner needs no atomic read-modify-write: no other thread can raise the count.
    if (count_.load(std::memory_order_acquire) == 1 ||
        count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const_cast<RefCounted*>(this)->Destroy();
    }
  }
  bool unique() const { return count_.load(std::memory_order_acquire) == 1; }
  // The same without an atomic read-modify-write. The caller must hold all references: one before
  // RefUnique; before UnrefTwin, both if there are two.
  void RefUnique() const { count_.store(2, std::memory_order_relaxed); }
  void UnrefTwin() const {
    if (count_.load(std::memory_order_acquire) == 2)
      count_.store(1, std::memory_order_release);
    else
      Unref();
  }

 protected:
  virtual ~RefCounted() = default;
  virtual void Destroy() {
    delete this;
  }  // buffers that live inside their own allocation override it

 private:
  mutable std::atomic<int32_t> count_{0};
};

template <typename T>
class RefPtr {
 public:
  RefPtr() = default;
  RefPtr(std::nullptr_t) {}  // NOLINT
  explicit RefPtr(T* p) : p_(p) {
    if (p_ != nullptr) p_->Ref();
  }
  RefPtr(const RefPtr& other) : RefPtr(other.p_) {}
  RefPtr(RefPtr&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  template <typename U>
  RefPtr(const RefPtr<U>& other) : RefPtr(other.get()) {}  // NOLINT: upcast
  RefPtr& operator=(RefPtr other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~RefPtr() {
    if (p_ != nullptr) p_->Unref();
  }
  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  bool operator==(const RefPtr& other) const { return p_ == other.p_; }
  void reset() { RefPtr().swap(*this); }
  // REQUIRES: this is the only reference.
  RefPtr Twin() const {
    RefPtr twin;
    p_->RefUnique();
    twin.p_ = p_;
    return twin;
  }
  // REQUIRES: if there is another reference, the caller holds it too.
  void reset_twin() { std::exchange(p_, nullptr)->UnrefTwin(); }
  void swap(RefPtr& other) noexcept { std::swap(p_, other.p_); }

 private:
  T* p_ = nullptr;
};

template <typename T, typename... Args>
RefPtr<T> MakeRefCounted(Args&&... args) {
  return RefPtr<T>(new T(std::forward<Args>(args)...));
}

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_REF_H_
