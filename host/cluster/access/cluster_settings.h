// The settings for authentication that kube-apiserver publishes in the ConfigMap
// kube-system/extension-apiserver-authentication: the CAs of clients and of authenticating proxies, and the headers of
// the latter. A reflector keeps them up to date; a missing or unusable part does not replace the previous one. Sources:
// k8s.io/apiserver pkg/server/dynamiccertificates/configmap_cafile_content.go,
// pkg/authentication/request/headerrequest/requestheader_controller.go,
// pkg/server/options/authentication_dynamic_request_header.go. Differs: one watch instead of three.
// Thread: any. Ownership: the transport outlives it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "client/http/transport.h"
#include "cluster/access/ca_bundle.h"
#include "cluster/access/request_header.h"
#include "cluster/reflector/object_feed.h"
#include "cluster/reflector/reflector.h"
#include "cluster/reflector/running.h"
#include "codec/json/value.h"

namespace berth::access {

class ClusterSettings final : public reflector::ObjectFeed {
 public:
  // Which parts to use.
  struct Parts {
    bool client_ca = false, request_header = false;
  };
  ClusterSettings(http::Transport& transport, Parts parts, const MakeVerifier& make);

  // Reads the ConfigMap once. No ConfigMap is no error, as upstream. Blocks.
  base::Result<void> ReadOnce();
  // Follows the ConfigMap until this object is destroyed.
  void Start();

  const CaBundle& client_ca() const { return client_ca_; }
  const CaBundle& request_header_ca() const { return request_header_ca_; }
  // Never null; without names until the ConfigMap was read.
  std::shared_ptr<const RequestHeaderNames> header_names() const;

  base::Result<Seen> Set(std::string_view json) override;
  void Gone(const std::string&) override {}  // the last settings stay
  void Listed(std::shared_ptr<const base::TextSet>) override {}

 private:
  void UseCa(CaBundle& bundle, const json::Value& config_map, const char* key);
  base::Result<void> UseHeaderNames(const json::Value& config_map);

  http::Transport& transport_;
  const Parts parts_;
  CaBundle client_ca_, request_header_ca_;
  mutable base::Mutex mutex_;
  std::shared_ptr<const RequestHeaderNames> names_ GUARDED_BY(mutex_);
  std::optional<reflector::Reflector> reflector_;
  std::optional<reflector::Running> running_;
};

}  // namespace berth::access
