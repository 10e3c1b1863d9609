// NodePorts: rejects nodes on which a host port of the pod is in use. Source:
// pkg/scheduler/framework/plugins/nodeports/node_ports.go and HostPortInfo of framework/types.go.
#include <berth/plugin.hpp>

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class NodePorts {
 public:
  static constexpr Info kInfo{.name = "NodePorts", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.pod = BERTH_POD_PORTS, .row = BERTH_ROW_PORTS, .total = true};
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_DELETE}, {"Node", BERTH_ACTION_ADD, false}};

  explicit NodePorts(Host& host) : any_ip_(host.Intern("0.0.0.0")), tcp_(host.Intern("TCP")) {}

  Status PreFilter(Cycle&, const Pod& pod) { return pod.host_ports().empty() ? Status::Skip() : Status::Ok(); }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    const auto wanted = pod.host_ports();
    if (wanted.empty()) return Status::Ok();
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      if (!Conflict(wanted, cycle.snap().UsedPorts(row))) return;
      out[i] = Verdict::Unschedulable(cycle.Reasons("node(s) didn't have free ports for the requested pod ports"));
    });
    return Status::Ok();
  }

  // A deleted pod helps if it releases a port that this one needs.
  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    const Pod gone = event.old_pod();
    if (!gone) return true;
    if (gone->node_name == kNoId && gone->nominated_node == kNoId) return false;
    return Conflict(pod.host_ports(), gone.host_ports());
  }

 private:
  Id Ip(const berth_host_port& port) const { return port.ip == BERTH_ID_EMPTY ? any_ip_ : port.ip; }
  Id Protocol(const berth_host_port& port) const { return port.protocol == BERTH_ID_EMPTY ? tcp_ : port.protocol; }

  bool Conflict(List<berth_host_port> wanted, List<berth_host_port> used) const {
    for (const berth_host_port& w : wanted) {
      for (const berth_host_port& u : used) {
        if (w.port != u.port || Protocol(w) != Protocol(u)) continue;
        if (Ip(w) == any_ip_ || Ip(u) == any_ip_ || Ip(w) == Ip(u)) return true;
      }
    }
    return false;
  }

  const Id any_ip_, tcp_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodePorts);
