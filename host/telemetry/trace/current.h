// The cause of what this thread does: requests that it sends belong to this span. Thread: each has its own.
#pragma once

#include "telemetry/trace/span_context.h"

namespace berth::trace {

namespace internal {
inline thread_local SpanContext t_current;
}

inline const SpanContext& Current() { return internal::t_current; }

// Makes context the cause during its lifetime. Scopes nest.
class Scope {
 public:
  explicit Scope(const SpanContext& context) : before_(internal::t_current) { internal::t_current = context; }
  ~Scope() { internal::t_current = before_; }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const SpanContext before_;
};

}  // namespace berth::trace
