// The extender that sends its requests over HTTP. Source: HTTPExtender in pkg/scheduler/extender.go. Thread and
// ownership: as framework::Extender says.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduler/extender/extender_reply.h"
#include "scheduler/extender/server.h"
#include "scheduler/framework/extender.h"

namespace berth::extender {

// The last segment of the URL of a request; empty if the extender does not have the verb.
struct Verbs {
  std::string filter, prioritize, bind, preempt;
};

class HttpExtender final : public framework::Extender {
 public:
  // The has_... members of traits say which verbs exist.
  HttpExtender(framework::ExtenderTraits traits, Verbs verbs, const std::vector<std::string>& managed,
               api::InternTables& intern, std::unique_ptr<Server> server);

  base::Result<framework::ExtenderFilterResult> Filter(std::string_view pod,
                                                       std::span<const framework::ExtenderNode> nodes) override;
  base::Result<framework::ExtenderPriorities> Prioritize(std::string_view pod,
                                                         std::span<const framework::ExtenderNode> nodes) override;
  base::Result<void> Bind(const framework::ExtenderBinding& binding) override;
  base::Result<framework::NodeNameToMetaVictims> ProcessPreemption(
      std::string_view pod, const framework::NodeNameToVictims& victims) override;
  void Close() override { server_->Close(); }

 private:
  base::Result<std::vector<uint32_t>> Indices(const std::vector<std::string>& names,
                                              std::span<const framework::ExtenderNode> nodes) const;
  tl::unexpected<base::Error> Undecodable(const std::string& verb, const base::Error& error) const;

  const Verbs verbs_;
  const std::unique_ptr<Server> server_;
};

}  // namespace berth::extender
