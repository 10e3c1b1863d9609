// What /flagz and /statusz have in common: text, or an object of config.k8s.io as JSON or YAML, as the client accepts.
// Source: k8s.io/apiserver/pkg/server/flagz/flagz.go and statusz/statusz.go, which agree in this. CBOR needs the
// feature CBORServingAndStorage, which is off, and Berth does not have it. Thread: any, concurrently.
#pragma once

#include <functional>
#include <string>

#include "client/http/incoming.h"
#include "codec/json/value.h"

namespace berth::serve {

// The name that both pages show. Clients expect the name of the program that Berth replaces.
inline constexpr const char* kComponent = "kube-scheduler";

class Zpage {
 public:
  // name: "flagz". kind: "Flagz". text: the page after the warning. fields: of the object, after metadata, in order.
  Zpage(std::string name, std::string kind, std::function<std::string()> text, std::function<json::Object()> fields)
      : name_(std::move(name)), kind_(std::move(kind)), text_(std::move(text)), fields_(std::move(fields)) {}

  http::Answer Get(const http::Incoming& request) const;

 private:
  http::Answer Text() const;
  http::Answer Structured(const std::string& media_type, const std::string& version, bool pretty) const;

  const std::string name_, kind_;
  const std::function<std::string()> text_;
  const std::function<json::Object()> fields_;
};

}  // namespace berth::serve
