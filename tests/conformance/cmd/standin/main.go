// Command standin takes the arguments of `berthctl simulate` and prints the decisions of upstream's scheduler in
// berthctl's JSON. It is for tests of the judge itself, and shows the output of a run without differences.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"berth.dev/berth/tests/conformance/internal/judge"
	"berth.dev/berth/tests/conformance/internal/standin"
	"berth.dev/berth/tests/conformance/internal/upstream"
)

type paths []string

func (p *paths) String() string { return fmt.Sprint(*p) }

func (p *paths) Set(path string) error {
	*p = append(*p, path)
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "standin:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 || args[0] != "simulate" {
		return fmt.Errorf("the only command is simulate")
	}
	var manifests, steps paths
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	config := flags.String("config", "", "KubeSchedulerConfiguration")
	flags.Var(&manifests, "f", "manifest (repeatable)")
	flags.Var(&steps, "step", "step (repeatable)")
	seed := flags.Uint64("seed", 0, "seed of the tie break")
	flags.String("plugin-dir", "", "accepted and ignored")
	output := flags.String("o", "json", "only json")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if *output != "json" {
		return fmt.Errorf("there is no output %q", *output)
	}
	upstream.Quiet()
	c, err := judge.Files{Config: *config, Manifests: manifests, Steps: steps}.Read()
	if err != nil {
		return err
	}
	sim, err := standin.Simulate(c, *seed)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(sim)
}
