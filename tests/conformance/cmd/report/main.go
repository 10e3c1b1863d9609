// Command report adds the figures of scripts/bench policies to the history of ratios and writes the page of the
// documentation from it. scripts/bench report runs it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"berth.dev/berth/tests/conformance/internal/bench"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(2)
	}
}

func run() error {
	figures := flag.String("figures", "", "policies.json of scripts/bench policies; \"\": add nothing")
	history := flag.String("history", "", "the history, which may not exist yet")
	page := flag.String("page", "", "the page to write")
	record := bench.Record{}
	flag.StringVar(&record.Date, "date", "", "of the figures")
	flag.StringVar(&record.Commit, "commit", "", "of the figures")
	flag.StringVar(&record.Build, "build", "release", "the CMake preset of the figures")
	flag.Parse()
	if *history == "" || *page == "" {
		return fmt.Errorf("-history and -page are needed")
	}
	h, err := bench.ReadHistory(*history)
	if err != nil {
		return err
	}
	if *figures != "" {
		if record.Points, err = read(*figures); err != nil {
			return err
		}
		h.Add(&record)
		if err := h.Write(*history); err != nil {
			return err
		}
	}
	out, err := os.Create(*page)
	if err != nil {
		return err
	}
	if err := h.WritePage(out); err != nil {
		return err
	}
	return out.Close()
}

// read leaves out figures without kube-scheduler.
func read(path string) ([]*bench.Ratio, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; scripts/bench policies writes it", err)
	}
	var all []*bench.Figures
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var ratios []*bench.Ratio
	for _, f := range all {
		if !f.Suite && len(f.Runs) > 0 {
			ratios = append(ratios, bench.RatioOf(f))
		}
	}
	return ratios, nil
}
