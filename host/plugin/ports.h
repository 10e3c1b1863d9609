// What services need from the rest of the host, as abstract ports: the binding cycle and the waiting pods implement
// them. Thread: each function says.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "berth/draft/binding.h"

namespace berth::plugin {

class Instance;

class BinderPort {
 public:
  virtual ~BinderPort() = default;
  // [bind] Sends the Binding and ends op (any thread) with SUCCESS or ERROR and a text.
  virtual void Bind(const berth_pod& pod, std::string_view node, berth_op* op) = 0;
};

class WaitingPort {
 public:
  virtual ~WaitingPort() = default;
  // [any] All three; no lock is held while fn runs.
  virtual void Each(const std::function<void(const berth_pod&)>& fn) = 0;
  virtual bool Allow(std::string_view uid, const Instance& plugin) = 0;
  virtual bool Reject(std::string_view uid, const Instance& plugin, std::string reason) = 0;
};

}  // namespace berth::plugin
