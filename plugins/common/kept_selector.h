// A selector from an object's document that the matching service keeps during this object's lifetime. Thread: create,
// assign, and destroy it in [serial] and life-cycle calls; Matches is [parallel].
#pragma once

#include <berth/matching.hpp>

#include <utility>

namespace plugins {

class KeptSelector {
 public:
  KeptSelector() = default;  // none: matches nothing
  // Owns the result of Keep or KeepMap. `matching` must outlive it.
  KeptSelector(const berth::sdk::Matching& matching, const berth_selector* kept) : matching_(&matching), kept_(kept) {}
  KeptSelector(KeptSelector&& other) noexcept { Swap(other); }
  KeptSelector& operator=(KeptSelector&& other) noexcept { return Swap(other), *this; }
  ~KeptSelector() {
    if (kept_ != nullptr) matching_->Drop(kept_);
  }

  const berth_selector* get() const { return kept_; }
  bool Matches(const berth_labels* labels) const { return kept_ != nullptr && matching_->Matches(kept_, labels); }

 private:
  void Swap(KeptSelector& other) {
    std::swap(matching_, other.matching_);
    std::swap(kept_, other.kept_);
  }

  const berth::sdk::Matching* matching_ = nullptr;
  const berth_selector* kept_ = nullptr;
};

}  // namespace plugins
