#include "cmd/berthctl/kubectl/leader.h"

#include <algorithm>

#include "codec/json/value.h"
#include "codec/text/harmless.h"

namespace berth::ctl {
namespace {

using Text = base::Result<std::string>;

std::string LeaseName(const SchedulerPlace& place) { return "Lease " + place.name_space + "/" + place.lease; }

Text RunFor(const SchedulerPlace& place, const Kubectl& kubectl, const std::vector<std::string>& arguments) {
  Text output = kubectl.Run(arguments);
  if (output) return output;
  return base::Fail(output.error().message + PermissionAdvice(output.error().message, place.name_space));
}

Text HolderOf(const SchedulerPlace& place, const Kubectl& kubectl) {
  Text output =
      RunFor(place, kubectl,
             {"get", "lease", place.lease, "--namespace=" + place.name_space, "--ignore-not-found", "--output=json"});
  if (!output) return output;
  if (output->empty()) {
    return base::Fail("there is no " + LeaseName(place) +
                      ": name the scheduler's with --scheduler-namespace and --scheduler-lease, or a scheduler without "
                      "leader election with --scheduler-pod");
  }
  const auto lease = json::Parse(*output);
  if (!lease || !lease->is_object()) return base::Fail("kubectl get lease printed no JSON object");
  std::string holder = json::TextAt(*lease, "spec.holderIdentity");
  if (holder.empty()) return base::Fail("nobody holds the " + LeaseName(place) + " now: no scheduler leads");
  return holder;
}

bool IsDnsSubdomain(const std::string& name) {
  const auto is_alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 253 && is_alphanumeric(name.front()) && is_alphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

// A holder is HOSTNAME_UUID. The host name of a pod is its name; on the network of a node, it is the node's, and the
// name of a static pod ends with it. Whoever may change the Lease chooses the text, which must not become a flag.
Text PodOf(const std::string& holder, const SchedulerPlace& place, const Kubectl& kubectl) {
  const std::string host = holder.substr(0, holder.rfind('_')), static_pod = place.lease + "-" + host;
  if (!IsDnsSubdomain(host)) {
    return base::Fail("the holder of the " + LeaseName(place) + ", \"" + text::Harmless(holder) +
                      "\", does not begin with the name of a host: name the scheduler's pod with --scheduler-pod");
  }
  Text output = RunFor(place, kubectl,
                       {"get", "pod/" + host, "pod/" + static_pod, "--namespace=" + place.name_space,
                        "--ignore-not-found", "--output=name"});
  if (!output) return output;
  for (const std::string& pod : {host, static_pod}) {
    if (("\n" + *output).find("\npod/" + pod + "\n") != std::string::npos) return pod;
  }
  return base::Fail(holder + " holds the " + LeaseName(place) + ", and there is no pod " + host + " or " + static_pod +
                    " in the namespace: name the scheduler's pod with --scheduler-pod");
}

}  // namespace

Text LeaderOf(const SchedulerPlace& place, const Kubectl& kubectl) {
  if (!place.pod.empty()) return place.pod;
  const Text holder = HolderOf(place, kubectl);
  return holder ? PodOf(*holder, place, kubectl) : holder;
}

std::string PermissionAdvice(const std::string& error, const std::string& name_space) {
  if (error.find("orbidden") == std::string::npos) return "";  // Forbidden, or forbidden in a message of a proxy
  return "\nThe user needs the Role berth-explain in the namespace " + name_space +
         ", which docs/decisions.md contains: `get` on leases and pods, `get` and `create` on pods/portforward.";
}

}  // namespace berth::ctl
