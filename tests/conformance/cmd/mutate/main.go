// Command mutate creates configurations with random faults from good ones, as cmd/mutants does, and prints them.
//
//	mutate [-n 300] [-seed 1] BASE...
//
// BASE: files of one YAML document each. Prints a line of JSON for each mutant: base, its file; edits, the faults; text,
// in base64, because it need not be UTF-8.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"berth.dev/berth/tests/conformance/internal/mutants"
)

type line struct {
	Base  string   `json:"base"`
	Edits []string `json:"edits"`
	Text  []byte   `json:"text"`
}

func main() {
	n := flag.Int("n", 300, "how many mutants")
	seed := flag.Uint64("seed", 1, "seed of the first; each following one takes the next")
	flag.Parse()
	if err := run(flag.Args(), *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(paths []string, n int, seed uint64) error {
	if len(paths) == 0 {
		return fmt.Errorf("there is no base")
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		texts[path] = string(text)
	}
	out := json.NewEncoder(os.Stdout)
	for i := range uint64(n) {
		m, err := mutants.Mutate(seed+i, texts, paths)
		if err != nil {
			return err
		}
		if err := out.Encode(line{m.Base, m.Edits, []byte(m.Text)}); err != nil {
			return err
		}
	}
	return nil
}
