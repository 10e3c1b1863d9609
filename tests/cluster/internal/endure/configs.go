package endure

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/stream"
)

// ConfigsOptions say how many changes RunConfigs makes, and to what.
type ConfigsOptions struct {
	Changes  int
	Seed     uint64
	Berthctl string // the program
	Builds   string // directory of the builds of tests/cluster/plugin/prefers_version.cc
	Zoo      string // directory of the libraries of tests/broken_plugins
}

// Configs is what RunConfigs found.
type Configs struct {
	*Verdict
	changes     map[string]map[string]int // how often, by kind of change and by the replicas' result
	kills       int                       // kills of leaders during a change
	refused     int                       // starts with a file that is not valid
	quarantined int                       // starts with a library that crashes
	skipped     int                       // mutants that allow overcommitment, or that change nothing
	restarts    int                       // of replicas that ended by themselves
	starts      int
	holders     int // changes of the Lease's holder
	unknown     int // pods whose binding is in no replica's log
	duration    time.Duration
}

func (c *Configs) count(what, result string) {
	if c.changes[what] == nil {
		c.changes[what] = map[string]int{}
	}
	c.changes[what][result]++
}

// RunConfigs changes the configuration and a library of two replicas under load, with faults of all kinds and with valid
// contents. Sometimes it kills the leader during a change.
func RunConfigs(ctx context.Context, o Options, c ConfigsOptions) (*Configs, error) {
	began := time.Now()
	r, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	change, err := newChanger(ctx, r, c)
	if change != nil {
		defer change.kill()
	}
	if err != nil {
		return nil, err
	}
	if err := r.startThrough(ctx, plain, stream.Tight, plain); err != nil {
		return nil, err
	}
	for i := range c.Changes {
		if err := change.turn(ctx, i); err != nil {
			return nil, fmt.Errorf("change %d: %w", i+1, err)
		}
		if (i+1)%25 == 0 {
			fmt.Fprintf(o.Log, "endure: %d changes, %d kills, %d pods were made, %d wait\n", i+1, change.result.kills, r.pods.Count(), r.pods.Waiting())
		}
	}
	if err := change.finish(ctx); err != nil {
		return nil, err
	}
	change.result.duration = time.Since(began)
	return change.result, nil
}

// finish makes the files valid, and checks the complete history.
func (c *changer) finish(ctx context.Context) error {
	if err := c.restore(ctx); err != nil {
		return err
	}
	authors, err := c.settle(ctx)
	if err != nil {
		return err
	}
	found := c.result
	wrong := found.Verdict.Wrong
	found.Verdict, found.holders, err = c.r.judge(ctx, authors)
	if err != nil {
		return err
	}
	found.Wrong = append(found.Wrong, wrong...)
	found.starts, found.unknown = len(c.all), found.Bound-len(authors)
	return nil
}

// Print writes it in a readable form.
func (c *Configs) Print(w io.Writer) {
	for _, what := range slices.Sorted(maps.Keys(c.changes)) {
		fmt.Fprintf(w, "%-24s %v\n", what, c.changes[what])
	}
	fmt.Fprintf(w, "skipped      %d mutants that allow overcommitment or change nothing\n", c.skipped)
	fmt.Fprintf(w, "schedulers   %d were started: %d leaders were killed, %d ended by themselves, %d refused to start with a file that is not valid, "+
		"%d quarantined a library that crashes\n", c.starts, c.kills, c.restarts, c.refused, c.quarantined)
	fmt.Fprintf(w, "fence        %d bindings by a replica without the Lease (%d changes of its holder); the author of %d of %d is not known\n",
		len(c.Fenced), c.holders, c.unknown, c.Bound)
	c.print(w)
	fmt.Fprintf(w, "time         %s\n", c.duration.Round(time.Second))
}

// launchVerbatim starts a replica whose configuration file has this content, in the layout of a ConfigMap volume.
func (r *run) launchVerbatim(name string, text []byte, extra ...string) (*daemon.Daemon, error) {
	return daemon.Launch(r.o.Plane, daemon.Options{
		Kind: daemon.Berth, Root: r.o.Root, Dir: r.o.Dir, Name: name, Verbatim: text, LeaderElect: true, ConfigMap: true,
		Binary: r.o.Binary, Plugins: r.o.Plugins, Extra: append([]string{"-v=2"}, extra...),
	})
}
