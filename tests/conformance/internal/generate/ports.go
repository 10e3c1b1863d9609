package generate

import (
	v1 "k8s.io/api/core/v1"
)

var (
	hostIPs   = []string{"", "", "0.0.0.0", "127.0.0.1", "10.0.0.1", "::", "::1"}
	protocols = []v1.Protocol{v1.ProtocolTCP, v1.ProtocolTCP, v1.ProtocolUDP, v1.ProtocolSCTP, ""}
)

// setPorts draws from few host ports, so that they collide by address and protocol.
func (g *gen) setPorts(p *v1.Pod) {
	if !g.shows(ports) {
		return
	}
	all(p, func(c *v1.Container) {
		for range pick(g, 0, 0, 1, 1, 2) {
			port := int32(pick(g, 80, 80, 8080, 8080, 9000, 0))
			c.Ports = append(c.Ports, v1.ContainerPort{
				ContainerPort: max(port, 1), HostPort: port, HostIP: pick(g, hostIPs...), Protocol: pick(g, protocols...),
			})
		}
	})
	p.Spec.HostNetwork = g.chance(0.1)
}
