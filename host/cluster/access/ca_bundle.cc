#include "cluster/access/ca_bundle.h"

#include <utility>

#include "base/text.h"

namespace berth::access {

base::Result<bool> CaBundle::Set(const std::string& pem) {
  if (pem.empty()) return base::Fail("missing content for CA bundle " + base::Quoted(name_));
  {
    base::MutexLock lock(mutex_);
    if (verifier_ != nullptr && pem == pem_) return false;
  }
  base::Result<Verifier> made = make_(pem);
  if (!made) return base::Fail("unable to load CA bundle " + base::Quoted(name_) + ": " + made.error().message);
  auto verifier = std::make_shared<const Verifier>(std::move(*made));
  base::MutexLock lock(mutex_);
  pem_ = pem;
  verifier_.swap(verifier);
  return true;
}

std::shared_ptr<const Verifier> CaBundle::verifier() const {
  base::MutexLock lock(mutex_);
  return verifier_;
}

}  // namespace berth::access
