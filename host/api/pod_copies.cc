#include "api/pod_copies.h"

#include <atomic>
#include <utility>

namespace berth::api {

class PodCopies::Copy final : public Pod {
 public:
  explicit Copy(InternTables& intern) : Pod(intern) {}

  std::shared_ptr<Spare> home;  // empty while the copy is spare
  Copy* next = nullptr;         // the next spare copy

 private:
  void OnUnreferenced() const override;
};

// Copies that nothing refers to. Any thread gives them back; the thread of WithNodeName takes all that are there at
// once, so that no other thread can take the first of them meanwhile.
class PodCopies::Spare {
 public:
  explicit Spare(InternTables& intern) : blank_(new Pod(intern)) {}
  ~Spare() {
    DeleteAll(taken_);
    DeleteAll(given_.load(std::memory_order_acquire));
  }
  Spare(const Spare&) = delete;

  // Null: there is none.
  Copy* Take() {
    if (taken_ == nullptr) taken_ = given_.exchange(nullptr, std::memory_order_acquire);
    Copy* const copy = taken_;
    if (copy == nullptr) return nullptr;
    taken_ = std::exchange(copy->next, nullptr);
    n_.fetch_sub(1, std::memory_order_relaxed);
    return copy;
  }
  // Frees what the copy holds, except the memory of its texts.
  void Give(Copy* copy) {
    if (n_.fetch_add(1, std::memory_order_relaxed) >= kMostSpare) {
      n_.fetch_sub(1, std::memory_order_relaxed);
      delete copy;
      return;
    }
    copy->CopyFrom(*blank_);
    copy->next = given_.load(std::memory_order_relaxed);
    while (!given_.compare_exchange_weak(copy->next, copy, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

 private:
  static void DeleteAll(Copy* copy) {
    while (copy != nullptr) delete std::exchange(copy, copy->next);
  }

  const PodRef blank_;
  std::atomic<Copy*> given_{nullptr};
  std::atomic<size_t> n_{0};
  Copy* taken_ = nullptr;  // thread of WithNodeName
};

void PodCopies::Copy::OnUnreferenced() const {
  Copy* const copy = const_cast<Copy*>(this);
  const std::shared_ptr<Spare> spare = std::move(copy->home);
  spare->Give(copy);
}

PodCopies::PodCopies(InternTables& intern) : intern_(intern), spare_(std::make_shared<Spare>(intern)) {}

PodCopies::~PodCopies() = default;

PodRef PodCopies::WithNodeName(const Pod& pod, base::Id node) {
  Copy* copy = spare_->Take();
  if (copy == nullptr) copy = new Copy(intern_);
  copy->home = spare_;
  Ref<Copy> ref(copy);
  copy->CopyFrom(pod);
  copy->SetNodeId(node);
  return ref;
}

}  // namespace berth::api
