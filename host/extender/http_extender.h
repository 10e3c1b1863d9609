// The extender that asks its server; make.h makes them. Thread and ownership: as Extender says.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "extender/answer.h"
#include "extender/extender.h"
#include "extender/server.h"

namespace berth::extender {

// The last part of a question's URL; empty: not asked.
struct Verbs {
  std::string filter, prioritize, bind, preempt;
};

class HttpExtender final : public Extender {
 public:
  // The has_... of traits say which verbs are there.
  HttpExtender(Traits traits, Verbs verbs, const std::vector<std::string>& managed, api::Vocabulary& words,
               std::unique_ptr<Server> server);

  base::Result<Filtered> Filter(std::string_view pod, std::span<const Asked> nodes) override;
  base::Result<Prioritized> Prioritize(std::string_view pod, std::span<const Asked> nodes) override;
  base::Result<void> Bind(const Binding& binding) override;
  base::Result<MetaVictimsByNode> ProcessPreemption(std::string_view pod, const VictimsByNode& victims) override;
  void Close() override { server_->Close(); }

 private:
  base::Result<std::vector<uint32_t>> Indices(const std::vector<std::string>& names,
                                              std::span<const Asked> nodes) const;
  tl::unexpected<base::Error> Undecodable(const std::string& verb, const base::Error& error) const;

  const Verbs verbs_;
  const std::unique_ptr<Server> server_;
};

}  // namespace berth::extender
