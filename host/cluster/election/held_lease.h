// A Lease as the API server sent it, in JSON or protobuf, and the same with another record. Labels, annotations, and
// fields that Berth does not know stay, except when a Lease that came in protobuf is written as JSON: then fields newer
// than Kubernetes 1.36 are missing. Thread: a value.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "client/requests/encoding.h"
#include "cluster/election/election_record.h"

namespace berth::election {

class HeldLease {
 public:
  // The body of a reply. The error says why it is no Lease.
  static base::Result<HeldLease> Of(std::string_view body);
  // The body that creates the Lease with this name.
  static std::string New(requests::Encoding encoding, const std::string& ns, const std::string& name,
                         const ElectionRecord& record);

  // Of the reply, and so the encoding in which With loses nothing.
  requests::Encoding encoding() const;
  // The body of an update.
  std::string With(requests::Encoding encoding, const ElectionRecord& record) const;

  const ElectionRecord& record() const { return record_; }
  const std::string& uid() const { return uid_; }
  const std::string& resource_version() const { return resource_version_; }

 private:
  using Object = std::variant<json::Value, std::string>;  // a message has no envelope
  static base::Result<HeldLease> OfEnvelope(std::string_view body);
  json::Value AsJson() const;

  Object object_;
  ElectionRecord record_;
  std::string uid_, resource_version_;
};

}  // namespace berth::election
