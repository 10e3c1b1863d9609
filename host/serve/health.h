// Health checks and the answers that kube-scheduler gives about them. Source: k8s.io/apiserver/pkg/server/healthz;
// core.md 4.3. Thread: any, several at once; checks are called on the caller's thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/listener.h"

namespace berth::serve {

struct Check {
  std::string name;  // "sched-handler-sync"
  // What is wrong; nullopt = nothing. Called by any thread, several at once; must neither wait nor throw.
  std::function<std::optional<std::string>()> run;
  // What is shown behind a check that passes, with ?verbose: what an operator should know all the same. "" = nothing.
  // Called as run is; may be empty.
  std::function<std::string()> note = {};
  // Whether answers say why it fails. Not so by default, as upstream.
  bool tells_why = false;
};

// Passes always; what a place without checks has.
Check Ping();

// One of /healthz, /livez, /readyz.
class Health {
 public:
  // name: "readyz".
  Health(std::string name, std::vector<Check> checks);

  // All checks: "ok", or with ?verbose a line for each; 500 with the lines when one fails. What went wrong goes to the
  // log at V(2), and into the answer where the check tells why. ?exclude=name leaves a check out.
  http::Answer All(std::string_view query) const;
  // One check: "ok", or 500 with what is wrong. nullopt: there is no such check.
  std::optional<http::Answer> One(std::string_view check) const;

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::vector<Check> checks_;
};

}  // namespace berth::serve
