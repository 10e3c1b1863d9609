// Objects of the cluster about this process: the Lease, the LeaseCandidate, their watches, and the ConfigMap
// extension-apiserver-authentication. An updated Lease must have the new values and keep all other members.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cluster/access/cluster_settings.h"
#include "cluster/election/election_record.h"
#include "cluster/election/lease_candidate.h"
#include "cluster/election/lease_lock.h"
#include "cluster/election/lease_watch.h"
#include "codec/json/value.h"
#include "require.h"
#include "telemetry/log/capture.h"

namespace {

namespace access = berth::access;
namespace election = berth::election;
namespace http = berth::http;
namespace json = berth::json;

class NoServer final : public http::Transport {
 public:
  void Send(http::Request, std::function<void(http::Reply)> done) override { done({.error = "no server"}); }
  http::Reply Stream(const http::Request&, http::BodySink&, const std::stop_token&) override { return {}; }
  void Close() override {}
};

void CheckLease(const std::string& text) {
  election::LeaseLock lock("kube-system", "kube-scheduler");
  if (const auto refused = lock.Accept({.status = 200, .body = text}, "get")) {
    return Require(!refused->message.empty() && !lock.known(), "what is refused has a reason, and changes nothing");
  }
  if (!lock.known()) return;
  election::ElectionRecord mine = lock.record();
  mine.holder = "me";
  mine.transitions = 7;
  const http::Request update = lock.UpdateRequest(mine);
  const auto written = json::Parse(update.body);
  Require(written.has_value(), "an update is JSON");
  Require(election::RecordOf(*written) == mine, "an update says what was put into it");
  Require(json::TextAt(*written, "metadata.resourceVersion") == lock.resource_version(), "an update has its version");
}

void CheckCandidate(const std::string& text) {
  const auto candidate = json::Parse(text);
  if (!candidate || !candidate->is_object()) return;
  (void)election::IsPinged(*candidate);
  const http::Request renewal = election::RenewCandidate({.name = "me"}, *candidate, 1'700'000'000'000'000'000);
  Require(json::Parse(renewal.body).has_value(), "a renewal is JSON");
}

// A bundle is valid if its text begins with CA.
berth::base::Result<access::Verifier> MakeVerifier(const std::string& pem) {
  if (!pem.starts_with("CA")) return berth::base::Fail("no CA");
  return access::Verifier([](const auto&) { return berth::base::Result<http::ClientName>(http::ClientName{}); });
}

void CheckSettings(const std::string& text) {
  static NoServer server;
  access::ClusterSettings settings(server, {.client_ca = true, .request_header = true}, MakeVerifier);
  berth::log::Capture log;
  const auto seen = settings.Set(text);
  if (!seen) Require(!seen.error().message.empty(), "what is refused has a reason");
  const auto first = settings.header_names();
  Require(first != nullptr, "there are names of headers always");
  (void)settings.Set("{}");  // the CAs stay, the names of headers do not
  const auto again = settings.Set(text);
  Require(again.has_value() == seen.has_value(), "a ConfigMap is judged by itself");
  Require(!seen || *settings.header_names() == *first, "the same ConfigMap has the same names");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckLease(text);
  CheckCandidate(text);
  CheckSettings(text);
  (void)election::ShowsChange(text);
  return 0;
}
