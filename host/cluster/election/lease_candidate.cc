#include "cluster/election/lease_candidate.h"

#include <algorithm>
#include <utility>

#include "cluster/election/requests.h"
#include "codec/text/rfc3339.h"

namespace berth::election {
namespace {

using json::Value;

std::string RenewTime(int64_t wall_unix_ns) { return text::MicroTimeText(std::max<int64_t>(0, wall_unix_ns)); }

}  // namespace

std::string CandidateOptions::ListPath() const {
  return "/apis/coordination.k8s.io/v1beta1/namespaces/" + ns + "/leasecandidates";
}

http::Request CreateCandidate(const CandidateOptions& options, int64_t wall_unix_ns) {
  const Value candidate =
      Value::MakeObject({{"apiVersion", "coordination.k8s.io/v1beta1"},
                         {"kind", "LeaseCandidate"},
                         {"metadata", Value::MakeObject({{"name", options.name}, {"namespace", options.ns}})},
                         {"spec", Value::MakeObject({{"leaseName", options.lease_name},
                                                     {"binaryVersion", options.binary_version},
                                                     {"emulationVersion", options.emulation_version},
                                                     {"strategy", options.strategy},
                                                     {"renewTime", RenewTime(wall_unix_ns)}})}});
  return WriteRequest("POST", options.ListPath(), candidate);
}

http::Request RenewCandidate(const CandidateOptions& options, Value candidate, int64_t wall_unix_ns) {
  candidate["spec"].Set("renewTime", RenewTime(wall_unix_ns));
  return WriteRequest("PUT", options.Path(), candidate);
}

bool IsPinged(const Value& candidate) {
  int64_t ping = 0, renewed = text::kNoTime;
  if (!text::ParseRfc3339(json::TextAt(candidate, "spec.pingTime"), ping)) return false;
  text::ParseRfc3339(json::TextAt(candidate, "spec.renewTime"), renewed);
  return ping > renewed;
}

}  // namespace berth::election
