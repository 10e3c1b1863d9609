#include "cluster/secure_port/secure_port.h"

#include "cluster/serve/pprof.h"

namespace berth::secure_port {

base::Result<std::unique_ptr<SecurePort>> SecurePort::Start(const Flags& flags, Pages pages,
                                                            const Instruments& instruments) {
  std::unique_ptr<SecurePort> port;
  if (flags.serving.secure_port == 0) return port;
  port.reset(new SecurePort(std::move(pages), instruments));
  if (auto delegated = port->Delegate(flags); !delegated) return tl::unexpected(delegated.error());
  if (auto served = port->Serve(flags.serving); !served) return tl::unexpected(served.error());
  return port;
}

SecurePort::~SecurePort() {
  if (delegation_) delegation_->Close();  // so that no handler waits for the API server
}

base::Result<void> SecurePort::Delegate(const Flags& flags) {
  auto clients = access::MakeClients({flags.authentication.kubeconfig, flags.authorization.kubeconfig},
                                     credentials::EnvironmentOfProcess(), flags.user_agent, instruments_.tracer);
  if (!clients) return tl::unexpected(clients.error());
  clients_ = std::move(*clients);
  access::DelegationNeeds needs;
  needs.for_tokens = clients_.ForTokens();
  needs.for_access = clients_.ForAccess();
  needs.clock = &clock_;
  needs.metrics = &instruments_.metrics;
  auto delegation = access::Delegation::Make(flags.authentication, flags.authorization, needs);
  if (!delegation) return tl::unexpected(delegation.error());
  delegation_ = std::move(*delegation);
  delegation_->Start();
  return {};
}

base::Result<void> SecurePort::Serve(const options::Serving& serving) {
  filter_ = std::make_unique<access::Filter>(delegation_->authentication(), delegation_->authorization(), pages_.get,
                                             &instruments_.metrics);
  http::ListenerOptions limits;
  limits.prompt = [this](const http::Incoming& request) {
    return filter_->IsPrompt(request) && pages_.is_prompt(request);
  };
  limits.slow = [](const http::Incoming& request) { return serve::IsSlow(request.path); };
  limits.methods = pages_.methods;
  auto started = secure_serving::SecureServing::Start(
      serving, [this](const http::Incoming& request) { return filter_->Serve(request); }, std::move(limits),
      [this] { return delegation_->authentication().ClientCaNames(); });
  if (!started) return tl::unexpected(started.error());
  serving_ = std::move(*started);
  return {};
}

}  // namespace berth::secure_port
