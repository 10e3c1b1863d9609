#include "cluster/writer/binding_body.h"

#include "codec/json/value.h"

namespace berth::writer {

std::string BindingBody(requests::Encoding encoding, const protobuf::BindingFields& binding) {
  if (encoding == requests::Encoding::kProtobuf) return protobuf::WriteBinding(binding);
  std::string body = R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":)";
  json::AppendQuoted(body, binding.name);
  body += R"(,"namespace":)";
  json::AppendQuoted(body, binding.ns);
  body += R"(,"uid":)";
  json::AppendQuoted(body, binding.uid);
  body += R"(},"target":{"kind":"Node","name":)";
  json::AppendQuoted(body, binding.node);
  return body + "}}";
}

}  // namespace berth::writer
