// The matching service for tests: the selectors of FakePods and those kept from FakeValues, by Kubernetes' rules. Error
// texts are those of k8s.io/apimachinery for operators and numbers of values; keys and values are not judged.
// Thread: as the service.
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

// Why a selector does not compile; "" = it does.
std::string SelectorError(const berth_selector& selector);

// A metav1.LabelSelector as the host judges it: nil, or with an error, it matches nothing.
bool SelectorMatches(const berth_selector& selector, const berth_labels& labels);

class FakeMatching {
 public:
  explicit FakeMatching(Checker& checker);
  FakeMatching(const FakeMatching&) = delete;
  ~FakeMatching();

  // How many Keeps have not been given back.
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
