#include "cmd/berth-scheduler/secure_port.h"

#include "cluster/serve/pprof.h"

namespace berth {

base::Result<std::unique_ptr<SecurePort>> SecurePort::Start(const options::SchedulerOptions& options,
                                                            const Admin& admin, const Instruments& instruments) {
  std::unique_ptr<SecurePort> port;
  if (options.serving.secure_port == 0) return port;
  port.reset(new SecurePort(instruments));
  if (auto delegated = port->Delegate(options); !delegated) return tl::unexpected(delegated.error());
  if (auto served = port->Serve(options.serving, admin); !served) return tl::unexpected(served.error());
  return port;
}

SecurePort::~SecurePort() {
  if (delegation_) delegation_->Close();  // so that no handler waits for the API server
}

base::Result<void> SecurePort::Delegate(const options::SchedulerOptions& options) {
  auto clients =
      access::MakeClients({options.authentication.kubeconfig, options.authorization.kubeconfig},
                          credentials::EnvironmentOfProcess(), "berth-scheduler/" BERTH_VERSION, instruments_.tracer);
  if (!clients) return tl::unexpected(clients.error());
  clients_ = std::move(*clients);
  access::DelegationNeeds needs;
  needs.for_tokens = clients_.ForTokens();
  needs.for_access = clients_.ForAccess();
  needs.clock = &clock_;
  needs.metrics = &instruments_.metrics;
  auto delegation = access::Delegation::Make(options.authentication, options.authorization, needs);
  if (!delegation) return tl::unexpected(delegation.error());
  delegation_ = std::move(*delegation);
  delegation_->Start();
  return {};
}

base::Result<void> SecurePort::Serve(const options::Serving& serving, const Admin& admin) {
  filter_ = std::make_unique<access::Filter>(
      delegation_->authentication(), delegation_->authorization(),
      [&admin](const http::Incoming& request) { return admin.Get(request); }, &instruments_.metrics);
  http::ListenerOptions limits;
  limits.prompt = [this, &admin](const http::Incoming& request) {
    return filter_->IsPrompt(request) && admin.IsPrompt(request);
  };
  limits.slow = [](const http::Incoming& request) { return serve::IsSlow(request.path); };
  limits.methods = kMethods;
  auto started = secure_serving::SecureServing::Start(
      serving, [this](const http::Incoming& request) { return filter_->Serve(request); }, std::move(limits),
      [this] { return delegation_->authentication().ClientCaNames(); });
  if (!started) return tl::unexpected(started.error());
  serving_ = std::move(*started);
  return {};
}

}  // namespace berth
