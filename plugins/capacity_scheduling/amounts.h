// Amounts of resources, and whether a sum of them exceeds a limit. Plain values, any thread. The ids of scalars are
// borrowed. Source: framework.Resource of kube-scheduler; cmp2 in pkg/capacityscheduling/elasticquota.go of
// kubernetes-sigs/scheduler-plugins.
#pragma once

#include <berth/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace plugins::capacity_scheduling {

using berth::sdk::Id;

// The resources that every vector has: cpu in thousandths, the others in whole units.
enum Native : size_t { kCpu, kMemory, kEphemeralStorage, kPods, kNatives };

inline constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

// Overflow wraps, as in Go.
inline int64_t Sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int64_t Difference(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

struct Scalar {
  Id name;
  int64_t value;
  bool operator==(const Scalar&) const = default;
};

class Amounts {
 public:
  int64_t& operator[](Native native) { return natives_[native]; }
  int64_t operator[](Native native) const { return natives_[native]; }
  const std::vector<Scalar>& scalars() const { return scalars_; }  // each name once, sorted

  const int64_t* Find(Id name) const {
    const auto at = std::lower_bound(scalars_.begin(), scalars_.end(), name, Before);
    return at != scalars_.end() && at->name == name ? &at->value : nullptr;
  }
  int64_t Of(Id name) const {
    const int64_t* value = Find(name);
    return value == nullptr ? 0 : *value;
  }
  // The scalar, which is 0 if there was none.
  int64_t& At(Id name) {
    auto at = std::lower_bound(scalars_.begin(), scalars_.end(), name, Before);
    if (at == scalars_.end() || at->name != name) at = scalars_.insert(at, {name, 0});
    return at->value;
  }

  void Add(const Amounts& other) { Combine(other, Sum); }
  void Subtract(const Amounts& other) { Combine(other, Difference); }
  // Drops scalars whose amount is 0, and their ids.
  void DropZeros() {
    std::erase_if(scalars_, [](const Scalar& scalar) { return scalar.value == 0; });
  }
  bool operator==(const Amounts&) const = default;

 private:
  static bool Before(const Scalar& scalar, Id name) { return scalar.name < name; }

  template <class Fn>
  void Combine(const Amounts& other, Fn&& fn) {
    for (size_t i = 0; i < kNatives; ++i) natives_[i] = fn(natives_[i], other.natives_[i]);
    for (const Scalar& scalar : other.scalars_) {
      int64_t& value = At(scalar.name);
      value = fn(value, scalar.value);
    }
  }

  std::array<int64_t, kNatives> natives_{};
  std::vector<Scalar> scalars_;
};

inline bool NativesExceed(const Amounts& a, const Amounts& b, const Amounts& limit) {
  for (const Native native : {kCpu, kMemory, kEphemeralStorage, kPods}) {
    if (Sum(a[native], b[native]) > limit[native]) return true;
  }
  return false;
}

// Of the scalars of a; `unlisted` limits those that the limit does not name.
inline bool ScalarsExceed(const Amounts& a, const Amounts& b, const Amounts& limit, int64_t unlisted) {
  return std::any_of(a.scalars().begin(), a.scalars().end(), [&](const Scalar& scalar) {
    const int64_t* listed = limit.Find(scalar.name);
    return Sum(scalar.value, b.Of(scalar.name)) > (listed == nullptr ? unlisted : *listed);
  });
}

// cmp2: whether asked + used exceeds the limit. Only the requested scalars count.
inline bool Exceeds(const Amounts& asked, const Amounts& used, const Amounts& limit, int64_t unlisted) {
  return NativesExceed(asked, used, limit) || ScalarsExceed(asked, used, limit, unlisted);
}

}  // namespace plugins::capacity_scheduling
