// An interned id that goes back to the host with its owner. Thread: any. Ownership: the host outlives it.
#pragma once

#include <berth/plugin.hpp>

#include <string_view>
#include <utility>

namespace plugins {

class OwnedId {
 public:
  OwnedId(berth::sdk::Host& host, std::string_view text) : host_(&host), id_(host.Intern(text)) {}
  // Of an id that was read from a view.
  OwnedId(berth::sdk::Host& host, berth::sdk::Id id) : host_(&host), id_(id) { host.Keep(id); }
  OwnedId(OwnedId&& other) noexcept
      : host_(std::exchange(other.host_, nullptr)), id_(std::exchange(other.id_, berth::sdk::kNoId)) {}
  OwnedId& operator=(OwnedId&& other) noexcept {
    std::swap(host_, other.host_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~OwnedId() {
    if (host_ != nullptr) host_->Drop(id_);
  }

  berth::sdk::Id get() const { return id_; }

 private:
  berth::sdk::Host* host_;
  berth::sdk::Id id_;
};

}  // namespace plugins
