#include "client/http/certificate_table.h"

#include <algorithm>

#include "base/text.h"

namespace berth::http {
namespace {

// "*.example.com" for "www.example.com", "*" for "www".
std::string WildcardFor(const std::string& name) {
  const size_t dot = name.find('.');
  return dot == std::string::npos ? "*" : "*" + name.substr(dot);
}

}  // namespace

base::Result<CertificateTable> CertificateTable::Make(const ServingPair& main, const std::vector<ServingPair>& named) {
  CertificateTable table;
  auto first = ReadServingPair(main.certificate_pem, main.key_pem);
  if (!first) return base::Fail("invalid serving cert keypair: " + first.error().message);
  table.identities_.push_back(std::move(*first));
  for (size_t i = 0; i < named.size(); ++i) {
    auto next = ReadServingPair(named[i].certificate_pem, named[i].key_pem);
    if (!next) {
      return base::Fail("invalid SNI cert keypair [" + std::to_string(i) + "/" + base::Quoted(named[i].name) +
                        "]: " + next.error().message);
    }
    table.identities_.push_back(std::move(*next));
  }
  table.AddNames(named);
  return table;
}

// Explicit patterns first, so that they override names of certificates; an earlier pair overrides a later one.
void CertificateTable::AddNames(const std::vector<ServingPair>& named) {
  for (size_t i = 0; i < named.size(); ++i) {
    for (const std::string& pattern : named[i].patterns) by_name_.emplace(pattern, i + 1);
  }
  for (size_t i = 0; i < named.size(); ++i) {
    if (!named[i].patterns.empty()) continue;
    for (const std::string& name : identities_[i + 1].Names()) by_name_.emplace(name, i + 1);
  }
}

const ServingIdentity* CertificateTable::Named(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &identities_[found->second];
}

const ServingIdentity& CertificateTable::Find(const std::string& server_name, const std::string& local_address) const {
  const std::string name = base::Lower(server_name);
  if (name.empty()) {
    const ServingIdentity* of_address = Named(local_address);
    return of_address != nullptr ? *of_address : identities_.front();
  }
  if (const ServingIdentity* exact = Named(name)) return *exact;
  if (const ServingIdentity* wildcard = Named(WildcardFor(name))) return *wildcard;
  const auto valid = std::find_if(identities_.begin(), identities_.end(),
                                  [&](const ServingIdentity& identity) { return identity.IsFor(name); });
  return valid == identities_.end() ? identities_.front() : *valid;
}

}  // namespace berth::http
