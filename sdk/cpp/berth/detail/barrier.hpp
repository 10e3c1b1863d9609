// Keeps exceptions inside the library: every call from the host runs inside one of these functions. They turn an
// exception into an ERROR with a text (or a log line if there is no status), and pass the reasons of a status to the
// host.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "berth/cycle.hpp"
#include "berth/host.hpp"
#include "berth/status.hpp"

namespace berth::sdk::detail {

// Codes that only some calls may return.
inline constexpr uint32_t kMaySkip = 1, kMayWait = 2, kMayLater = 4, kMayUniform = 8;

inline uint32_t Privilege(berth_status code) {
  switch (code) {
    case BERTH_SKIP: return kMaySkip;
    case BERTH_WAIT: return kMayWait;
    case BERTH_LATER: return kMayLater;
    case BERTH_UNIFORM: return kMayUniform;
    default: return 0;
  }
}

// The call from the host, for texts.
struct Place {
  const Host* host;
  const char* plugin;
  const char* call;  // "Filter"
};

inline void Because(const Host& host, berth_cycle* cycle, const berth_str* texts, uint32_t n) {
  const berth_host* raw = host.raw();
  if (BERTH_HAS(raw, berth_host, because)) raw->because(raw, cycle, texts, n);
}

// "plugin NAME: CALL VERB: WHAT", cut to a fixed length, because the cause may be a lack of memory.
class FaultText {
 public:
  FaultText(const Place& at, const char* verb, const char* what) {
    const int n = std::snprintf(text_.data(), text_.size(), "plugin %s: %s %s%s", at.plugin, at.call, verb, what);
    length_ = n < 0 ? 0 : std::min(static_cast<size_t>(n), text_.size() - 1);
  }
  std::string_view view() const { return {text_.data(), length_}; }

 private:
  std::array<char, 1024> text_;
  size_t length_;
};

inline berth_status Fault(const Place& at, berth_cycle* cycle, const char* verb, const char* what) noexcept {
  const FaultText text(at, verb, what);
  const berth_str reason = Borrow(text.view());
  Because(*at.host, cycle, &reason, 1);
  return BERTH_ERROR;
}

inline berth_status Deliver(const Place& at, berth_cycle* cycle, uint32_t may, const Status& status) {
  const uint32_t needed = Privilege(status.code());
  if ((needed & ~may) != 0) {
    return Fault(at, cycle, "returned a status that is not its to return: ", std::to_string(status.code()).c_str());
  }
  if (!status.reasons().empty()) {
    std::vector<berth_str> texts;
    texts.reserve(status.reasons().size());
    for (const std::string& reason : status.reasons()) texts.push_back(Borrow(reason));
    Because(*at.host, cycle, texts.data(), static_cast<uint32_t>(texts.size()));
  }
  return status.code();
}

// Runs fn() -> Status.
template <class Fn>
berth_status Guarded(const Place& at, berth_cycle* cycle, uint32_t may, Fn&& fn) noexcept {
  try {
    return Deliver(at, cycle, may, fn());
  } catch (const std::exception& e) {
    return Fault(at, cycle, "threw: ", e.what());
  } catch (...) {
    return Fault(at, cycle, "threw: ", "something that is no std::exception");
  }
}

// Runs fn(Cycle&, Op&) -> Status of a call that may end later. If fn moves the op away, the call returns LATER, also if
// fn returns another status or throws. If it does not, LATER is an error.
template <class Fn>
berth_status GuardedOp(const Place& at, berth_cycle* cycle, berth_op* raw, uint32_t may, Fn&& fn) noexcept {
  Op op(raw);
  const berth_status status = Guarded(at, cycle, may | kMayLater, [&] {
    Cycle call(*at.host, cycle);
    Status answer = fn(call, op);
    if (answer.code() == BERTH_LATER && op) return Status::Error("it answered LATER without keeping the operation");
    return answer;
  });
  return op ? status : BERTH_LATER;
}

// Runs fn() of a call without a status: logs an exception and reports it to the host, which counts it. cycle: the
// call's, or null. Returns false if fn threw.
template <class Fn>
bool GuardedVoid(const Place& at, berth_cycle* cycle, Fn&& fn) noexcept {
  const auto threw = [&](const char* what) {
    Fault(at, cycle, "threw: ", what);
    detail::WriteLine(at.host->services(), at.host->raw(), BERTH_LOG_ERROR, 0, FaultText(at, "threw: ", what).view(),
                      {}, SourcePlace::Here());
    return false;
  };
  try {
    fn();
    return true;
  } catch (const std::exception& e) {
    return threw(e.what());
  } catch (...) {
    return threw("something that is no std::exception");
  }
}

template <class Fn>
bool GuardedVoid(const Place& at, Fn&& fn) noexcept {
  return GuardedVoid(at, nullptr, std::forward<Fn>(fn));
}

// The same for callbacks from the host outside of the plugin's tables.
template <class Fn>
void GuardedCallback(const Host& host, const char* call, Fn&& fn) noexcept {
  std::array<char, 254> name;  // ends with NUL, which the host's text need not
  const std::string_view text = host.name();
  std::snprintf(name.data(), name.size(), "%.*s", static_cast<int>(text.size()), text.data());
  GuardedVoid(Place{&host, name.data(), call}, std::forward<Fn>(fn));
}

}  // namespace berth::sdk::detail
