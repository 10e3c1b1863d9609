// One call about one pod: the snapshot, this plugin's data for the pod's attempt, reasons. It is created for each call;
// do not keep it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/detail/cycle_data.hpp"
#include "berth/host.hpp"
#include "berth/snapshot.hpp"
#include "berth/status.hpp"

namespace berth::sdk {

class Cycle {
 public:
  Cycle(const Host& host, berth_cycle* raw) : host_(host), raw_(raw) {}
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;

  berth_cycle* raw() const { return raw_; }
  const Host& host() const { return host_; }

  // The frozen cluster. Throws outside a scheduling cycle (PreEnqueue, hints, the binding cycle).
  const Snapshot& snap() {
    if (snap_.raw() == nullptr) {
      snap_ = Snapshot(&host_.services().snapshot, host_.services().cycle.snap(raw_));
      if (snap_.raw() == nullptr) throw std::logic_error("there is no snapshot outside a scheduling cycle");
    }
    return snap_;
  }

  // ---- This plugin's data about the attempt. Set in [serial] calls. Types are checked: a request for another type
  // than the stored one throws. With AddPod/RemovePod the host copies the data for trials, by T's copy constructor; a T
  // without one is shared and must guard what it changes. Freed by the host.
  //   Set, Find, Get: until the scheduling cycle ends.   SetAttempt, ...: until PostBind or failure handling is over.
  template <class T, class... A>
  T& Set(A&&... args) {
    return Put<T>(BERTH_SLOT_CYCLE, std::forward<A>(args)...);
  }
  template <class T>
  T* Find() {  // null when it was not set
    return Look<T>(BERTH_SLOT_CYCLE);
  }
  template <class T>
  T& Get() {  // throws when it was not set
    return Require(Look<T>(BERTH_SLOT_CYCLE));
  }
  template <class T, class... A>
  T& SetAttempt(A&&... args) {  // also in [bind] calls
    return Put<T>(BERTH_SLOT_ATTEMPT, std::forward<A>(args)...);
  }
  template <class T>
  T* FindAttempt() {
    return Look<T>(BERTH_SLOT_ATTEMPT);
  }
  template <class T>
  T& GetAttempt() {
    return Require(Look<T>(BERTH_SLOT_ATTEMPT));
  }

  // ---- Reasons for verdicts, valid for this call only. [parallel]
  // A literal: calls the host only once per call, so it can be used row by row.
  ReasonList Reasons(StaticReason literal) {
    for (uint32_t i = 0; i < known_; ++i) {
      if (keys_[i] == literal.text()) return {numbers_[i]};
    }
    const ReasonList list = Reasons({std::string_view(literal.text())});
    if (known_ < keys_.size()) {
      keys_[known_] = literal.text();
      numbers_[known_++] = list.number;
    }
    return list;
  }
  ReasonList Reasons(std::initializer_list<std::string_view> texts) { return Number(texts); }
  ReasonList Reasons(const std::vector<std::string>& texts) { return Number(texts); }
  // The texts behind a verdict's number, any plugin's. [parallel]
  List<berth_str> ReasonTexts(uint32_t number) const {
    return host_.services().cycle.reason_texts(host_.raw(), raw_, number);
  }

  // Whether the result is no longer needed; call it every ~64 slow rows.
  bool Cancelled() const { return host_.services().cycle.cancelled(raw_) != 0; }
  // [parallel] The attempt's random seed for this instance: equal runs get equal seeds.
  uint64_t Seed() const { return host_.services().random.seed(host_.raw(), raw_); }

 private:
  template <class T, class... A>
  T& Put(uint32_t slot, A&&... args) {
    auto box = std::make_unique<detail::DataBoxOf<T>>(std::forward<A>(args)...);
    T& value = box->value;
    const auto set = host_.services().cycle.set_data;
    set(host_.raw(), raw_, slot, static_cast<detail::DataBox*>(box.get()));
    static_cast<void>(box.release());
    return value;
  }

  template <class T>
  T* Look(uint32_t slot) const {
    auto* box = static_cast<detail::DataBox*>(host_.services().cycle.data(host_.raw(), raw_, slot));
    if (box == nullptr) return nullptr;
    if (box->ops != &detail::DataBoxOf<T>::kOps) throw std::logic_error("the cycle data is of another type");
    return &static_cast<detail::DataBoxOf<T>*>(box)->value;
  }

  template <class T>
  static T& Require(T* data) {
    if (data == nullptr) throw std::logic_error("the cycle data was not set");
    return *data;
  }

  template <class Texts>
  ReasonList Number(const Texts& texts) {
    std::array<berth_str, 8> few;
    std::vector<berth_str> many(texts.size() > few.size() ? texts.size() : 0);
    berth_str* const raw = many.empty() ? few.data() : many.data();
    uint32_t n = 0;
    for (const auto& text : texts) raw[n++] = Borrow(text);
    return {host_.services().cycle.reasons(host_.raw(), raw_, raw, n)};
  }

  const Host& host_;
  berth_cycle* raw_;
  Snapshot snap_;
  uint32_t known_ = 0;
  std::array<const char*, 8> keys_;
  std::array<uint32_t, 8> numbers_;
};

}  // namespace berth::sdk
