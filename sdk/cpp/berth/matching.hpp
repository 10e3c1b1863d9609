// Label selectors over labels, with Kubernetes' rules: the selectors of pods' blocks, and those of other objects once
// they are kept. Make a Matching in the plugin's constructor and keep it; a host without the service throws
// MissingService when it is used.
//   explicit MyPlugin(sdk::Host& host) : matching_(host) {}
//   if (matching_.Matches(term.selector, pod->labels)) ...
#pragma once

#include <string_view>

#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/matching.h"
#include "berth/value.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

class Matching {
 public:
  explicit Matching(const Host& host)
      : host_(host.raw()),
        table_(detail::CopyTable<berth_matching>(host.raw()->service(host.raw(), BERTH_SERVICE_MATCHING))) {
    using detail::Patch;
    Patch<"berth.host.matching/1: match">(table_, &berth_matching::match);
    Patch<"berth.host.matching/1: error">(table_, &berth_matching::error);
    Patch<"berth.host.matching/1: keep">(table_, &berth_matching::keep);
    Patch<"berth.host.matching/1: keep_map">(table_, &berth_matching::keep_map);
    Patch<"berth.host.matching/1: drop">(table_, &berth_matching::drop);
  }

  // [parallel] A nil selector, or one with an error, matches nothing. selector: one that the host has shown or keeps.
  bool Matches(const berth_selector* selector, const berth_labels* labels) const {
    return table_.match(selector, labels) != 0;
  }
  // [parallel] Upstream's error if the selector does not compile; "" = it does. Valid until this thread's next use.
  std::string_view Error(const berth_selector* selector) const { return View(table_.error(host_, selector)); }

  // [serial] [background] A LabelSelector of a document; an absent one is a nil selector. Equal contents give equal
  // selectors. Owned by the instance until Drop, once per Keep, or the end of its life.
  const berth_selector* Keep(const Value& selector) const { return table_.keep(host_, selector.raw()); }
  // The same for a plain map: every pair must be present.
  const berth_selector* KeepMap(const Value& map) const { return table_.keep_map(host_, map.raw()); }
  void Drop(const berth_selector* selector) const { table_.drop(host_, selector); }

 private:
  const berth_host* host_;
  berth_matching table_;
};

}  // namespace berth::sdk
