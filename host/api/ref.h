// Reference-counted pointers to immutable objects that many threads may hold. The count is inside the object.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace berth::api {

class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;
  void AddRef() const { refs_.fetch_add(1, std::memory_order_relaxed); }
  void Release() const {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) OnUnreferenced();
  }

 protected:
  virtual ~RefCounted() = default;
  // Called when the last reference is released. Tables of shared objects override it to remove the object first.
  virtual void OnUnreferenced() const { delete this; }
  mutable std::atomic<uint32_t> refs_{0};
};

template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) {
    if (object_ != nullptr) object_->AddRef();
  }
  // Takes ownership of a reference that is already counted.
  static Ref Adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& other) : Ref(other.get()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  // The analyzer does not follow the count, so it reports that each Release frees the object.
  ~Ref() {
    if (object_ != nullptr) object_->Release();  // NOLINT(clang-analyzer-cplusplus.NewDelete)
  }
  // The caller takes over the reference.
  T* Detach() { return std::exchange(object_, nullptr); }
  T* get() const { return object_; }
  T* operator->() const { return object_; }  // NOLINT(clang-analyzer-cplusplus.NewDelete)
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Ref& other) const { return object_ == other.object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace berth::api
