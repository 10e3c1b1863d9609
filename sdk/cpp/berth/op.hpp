// A call that ends later. PreBind and Bind may take an `Op&`: to end later, move the op away and return
// Status::Later(); then call Done exactly once from any thread. An op that is dropped ends with an error, so that the
// pod does not wait forever.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "berth/abi.h"
#include "berth/status.hpp"

namespace berth::sdk {

class Op {
 public:
  // The op of a running call; it is not kept until the plugin moves from it.
  explicit Op(berth_op* raw) : raw_(raw) {}
  Op(Op&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)), kept_(raw_ != nullptr) {}
  Op& operator=(Op&& other) noexcept {
    if (this != &other) {
      Drop();
      raw_ = std::exchange(other.raw_, nullptr);
      kept_ = raw_ != nullptr;
    }
    return *this;
  }
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;
  ~Op() { Drop(); }

  explicit operator bool() const { return raw_ != nullptr; }
  berth_op* raw() const { return raw_; }
  // Ends the call with this outcome. Only on an op that was moved out of the call.
  void Done(const Status& outcome) {
    assert(raw_ != nullptr && kept_);
    std::vector<berth_str> texts;
    for (const std::string& reason : outcome.reasons()) texts.push_back(Borrow(reason));
    berth_op* op = Release();
    op->done(op, outcome.code(), texts.data(), static_cast<uint32_t>(texts.size()));
  }
  // Releases the C op, which other code ends.
  berth_op* Release() {
    kept_ = false;
    return std::exchange(raw_, nullptr);
  }

 private:
  void Drop() noexcept {
    if (raw_ == nullptr || !kept_) return;
    const berth_str text = Borrow("the plugin dropped the operation without an outcome");
    berth_op* op = Release();
    op->done(op, BERTH_ERROR, &text, 1);
  }

  berth_op* raw_;
  bool kept_ = false;
};

}  // namespace berth::sdk
