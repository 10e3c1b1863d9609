// The endpoints over HTTPS on --secure-port, for clients that authentication and authorization let through. Source:
// cmd/kube-scheduler/app/server.go buildHandlerChain. Thread: main. Ownership: admin outlives it.
#pragma once

#include <memory>

#include "base/clock.h"
#include "cluster/access/access_filter.h"
#include "cluster/access/clients.h"
#include "cluster/access/delegation.h"
#include "cluster/secure_serving/secure_serving.h"
#include "cmd/berth-scheduler/admin.h"
#include "config/options/options.h"

namespace berth {

class SecurePort {
 public:
  struct Instruments {  // of what it asks the API server; they outlive it
    metrics::AccessMetrics& metrics;
    trace::Tracer* tracer;  // may be null
  };
  // May wait some seconds for the API server. nullptr: --secure-port=0.
  static base::Result<std::unique_ptr<SecurePort>> Start(const options::SchedulerOptions& options, const Admin& admin,
                                                         const Instruments& instruments);
  ~SecurePort();
  SecurePort(const SecurePort&) = delete;

 private:
  explicit SecurePort(const Instruments& instruments) : instruments_(instruments) {}
  base::Result<void> Delegate(const options::SchedulerOptions& options);
  base::Result<void> Serve(const options::Serving& serving, const Admin& admin);

  const Instruments instruments_;
  base::RealClock clock_;
  access::Clients clients_;
  std::unique_ptr<access::Delegation> delegation_;
  std::unique_ptr<access::Filter> filter_;
  std::unique_ptr<secure_serving::SecureServing> serving_;  // goes first
};

}  // namespace berth
