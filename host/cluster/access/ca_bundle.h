// A bundle of CA certificates that can be replaced at run time; an unusable new bundle does not replace the old one.
// Sources: k8s.io/apiserver pkg/server/dynamiccertificates (DynamicFileCAContent, ConfigMapCAController). Thread: any.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "cluster/access/verifier.h"

namespace berth::access {

class CaBundle {
 public:
  // name: upstream's identifier of the bundle, "client-ca-bundle::/etc/ca.pem".
  CaBundle(std::string name, MakeVerifier make) : name_(std::move(name)), make_(std::move(make)) {}
  CaBundle(const CaBundle&) = delete;

  // true: it is another bundle than before.
  base::Result<bool> Set(const std::string& pem);
  // null: there was no usable bundle yet, so no client can be verified.
  std::shared_ptr<const Verifier> verifier() const;
  const std::string& name() const { return name_; }

 private:
  const std::string name_;
  const MakeVerifier make_;
  mutable base::Mutex mutex_;
  std::string pem_ GUARDED_BY(mutex_);
  std::shared_ptr<const Verifier> verifier_ GUARDED_BY(mutex_);
};

}  // namespace berth::access
