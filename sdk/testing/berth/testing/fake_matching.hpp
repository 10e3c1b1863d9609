// The matching service for tests: it matches selectors of FakePods, and selectors kept from FakeValues, by the rules
// of Kubernetes. For operators and numbers of values, error texts are those of k8s.io/apimachinery. It does not check
// keys and values. Thread: as the service.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "berth/matching.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_relations.hpp"
#include "berth/testing/selectors.hpp"
#include "berth/testing/value.hpp"

namespace berth::sdk::testing {

// Why a selector does not compile; "": it compiles.
std::string SelectorError(const berth_selector& selector);

// Matches a metav1.LabelSelector as the host does: a selector that is nil or has an error matches nothing.
bool SelectorMatches(const berth_selector& selector, const berth_labels& labels);

class FakeMatching {
 public:
  explicit FakeMatching(Checker& checker);
  FakeMatching(const FakeMatching&) = delete;
  ~FakeMatching();

  // The number of kept selectors that the plugin has not dropped.
  size_t kept() const;

  // The service's table in a FakeHost.
  static berth_matching Table();

 private:
  static constexpr uint32_t kKeeping = kSerial | kStarting | kActivating | kEnding;
  struct Kept {
    std::unique_ptr<Arena> arena;
    const berth_selector* view;
    size_t times;
  };

  static FakeMatching& Of(const berth_host* host);
  static int32_t Match(const berth_selector* selector, const berth_labels* labels);
  static berth_str Error(const berth_host* host, const berth_selector* selector);
  static const berth_selector* Keep(const berth_host* host, const berth_value* document);
  static const berth_selector* KeepMap(const berth_host* host, const berth_value* map);
  static void Drop(const berth_host* host, const berth_selector* selector);

  static void ReadPairs(const Value& map, FakeSelector& out);
  const berth_selector* Add(const FakeSelector& selector);

  Checker& checker_;
  mutable std::mutex mutex_;
  std::map<uint32_t, Kept> kept_;  // by content
};

}  // namespace berth::sdk::testing
