package daemon

import (
	"os"
	"regexp"
)

var bound = regexp.MustCompile(`"Successfully bound pod to node" pod="([^"]+)"`)

// Authors returns, by namespace/name, the identity of the replica that bound each pod, from the logs (-v=2). A replica that was
// killed has not logged its last bindings.
func Authors(replicas []*Daemon) (map[string]string, error) {
	authors := map[string]string{}
	for _, d := range replicas {
		text, err := os.ReadFile(d.Log())
		if err != nil {
			return nil, err
		}
		who := d.Identity()
		for _, found := range bound.FindAllSubmatch(text, -1) {
			authors[string(found[1])] = who
		}
	}
	return authors, nil
}
