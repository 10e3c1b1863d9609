package endure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
)

// changer changes the files of two replicas. One goroutine.
type changer struct {
	*pair
	o       ConfigsOptions
	random  *rand.Rand
	own     string // the directory of PrefersVersion, which both replicas watch
	kube    string // the kubeconfig that all files name
	mutants []mutant
	text    []byte // of both configuration files
	zoo     []string
	markers int // of restored files
	result  *Configs
}

// The numbers of faults of the configuration and of the library in a hundred changes; the other changes are valid.
const (
	faulty      = 65
	withLibrary = 25
	killEvery   = 25 // the average number of changes per kill
	restoreEach = 10 // changes, the policy is valid and the backlog has to shrink
)

// newChanger starts both replicas with a good configuration and a copy of the plugins.
func newChanger(ctx context.Context, r *run, o ConfigsOptions) (*changer, error) {
	c := &changer{o: o, random: rand.New(rand.NewPCG(o.Seed, 2)), own: filepath.Join(r.o.Dir, "changed"),
		result: &Configs{Verdict: &Verdict{}, changes: map[string]map[string]int{}}, pair: &pair{r: r}}
	plugins := filepath.Join(r.o.Dir, "plugins")
	err := errors.Join(os.CopyFS(plugins, os.DirFS(r.o.Plugins)), os.MkdirAll(c.own, 0o755))
	if err != nil {
		return nil, err
	}
	r.o.Plugins = plugins
	if err := c.install(c.build("1")); err != nil {
		return nil, err
	}
	if c.zoo, err = filepath.Glob(filepath.Join(o.Zoo, "*.so")); err != nil || len(c.zoo) == 0 {
		return nil, fmt.Errorf("there are no libraries in %s: %w", o.Zoo, err)
	}
	if c.kube, err = r.o.Plane.Kubeconfig("replicas", controlplane.BerthScheduler, ""); err != nil {
		return nil, err
	}
	if c.mutants, err = makeMutants(ctx, r, c.kube, 3*o.Changes, o.Seed); err != nil {
		return nil, err
	}
	c.text = c.good(0, unmarked)
	c.pair, err = r.startPair(ctx, func(name string) (*daemon.Daemon, error) {
		return r.launchVerbatim(name, c.text, "--plugin-dir="+c.own)
	})
	return c, err
}

// good is one of the valid files.
func (c *changer) good(i int, marker string) []byte {
	kube, berth := goodDocuments(c.r.o.Namespace, c.kube, marker)
	return whole([]byte(kube[i%len(kube)]), []byte(berth))
}

func (c *changer) build(name string) string {
	return filepath.Join(c.o.Builds, name, "PrefersVersion.so")
}

func (c *changer) install(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return c.replaceLibrary(content)
}

func (c *changer) replaceLibrary(content []byte) error {
	return daemon.Replace(filepath.Join(c.own, "PrefersVersion.so"), content)
}

// turn makes change i, and checks the result of both replicas.
func (c *changer) turn(ctx context.Context, i int) error {
	if i%restoreEach == restoreEach-1 || !c.members[0].Running() || !c.members[1].Running() {
		if err := c.restore(ctx); err != nil {
			return err
		}
		return c.progress(ctx, 20, time.Minute)
	}
	next, err := c.choose(ctx)
	if err != nil {
		return err
	}
	if c.random.IntN(killEvery) == 0 {
		return c.changeAndKill(ctx, next)
	}
	return c.change(ctx, next)
}

// step is one change of the files.
type step struct {
	what, detail string
	text         []byte // nil: the text stays
	library      []byte // nil: the library stays
}

func (c *changer) choose(ctx context.Context) (step, error) {
	switch roll := c.random.IntN(100); {
	case roll < faulty:
		return c.faultyText(ctx)
	case roll < faulty+withLibrary:
		return c.someLibrary()
	}
	for {
		if text := c.good(c.random.IntN(100), unmarked); string(text) != string(c.text) {
			return step{what: "a valid file", text: text}, nil
		}
	}
}

// faultyText returns the next mutant that can be tested safely.
func (c *changer) faultyText(ctx context.Context) (step, error) {
	for len(c.mutants) > 0 {
		m := c.mutants[0]
		c.mutants = c.mutants[1:]
		harmless, err := c.keepsCapacity(ctx, m.text)
		if err != nil {
			return step{}, err
		}
		if harmless && string(m.text) != string(c.text) {
			return step{what: m.document, detail: m.what, text: m.text}, nil
		}
		c.result.skipped++
	}
	return step{}, errors.New("there are no mutants left")
}

func (c *changer) someLibrary() (step, error) {
	now, err := os.ReadFile(filepath.Join(c.own, "PrefersVersion.so"))
	if err != nil {
		return step{}, err
	}
	for {
		path, what := c.build(fmt.Sprint(1+c.random.IntN(8))), "another library"
		roll := c.random.IntN(10)
		switch {
		case roll < 4:
			path, what = c.zoo[c.random.IntN(len(c.zoo))], "a library of the zoo"
		case roll < 5:
			path, what = c.build("crashes"), "a library that crashes"
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return step{}, err
		}
		if roll == 9 {
			what, content = "a library cut off", content[:c.random.IntN(len(content))]
		}
		if !slices.Equal(content, now) {
			return step{what: what, detail: path, library: content}, nil
		}
	}
}

// write changes the files of both replicas.
func (c *changer) write(s step) error {
	if s.library != nil {
		if err := c.replaceLibrary(s.library); err != nil {
			return err
		}
	}
	if s.text == nil {
		return nil
	}
	c.text = s.text
	return errors.Join(c.members[0].Write(s.text), c.members[1].Write(s.text))
}
