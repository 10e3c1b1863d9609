// Command upstreamcases lists the cases of upstream's own tests of the default plugins. Each must be recorded in a YAML
// file of tests/upstream, transcribed by its name into a C++ test of the plugin, or excluded with a reason.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"berth.dev/berth/tests/conformance/internal/cases"
)

func main() {
	dir := flag.String("dir", "../upstream", "directory of the YAML files with covered cases and of left-out.yaml")
	plugins := flag.String("plugins", "../../plugins", "directory of the plugins, whose tests name cases too")
	src := flag.String("src", "", "root of k8s.io/kubernetes (default: the module this one requires)")
	list := flag.Bool("list", false, "only print upstream's cases")
	flag.Parse()
	ok, err := run(*dir, *plugins, *src, *list)
	if err != nil {
		fmt.Fprintln(os.Stderr, "upstreamcases:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(dir, plugins, src string, list bool) (bool, error) {
	if src == "" {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
		if err != nil {
			return false, fmt.Errorf("go list finds no k8s.io/kubernetes; run this inside the module or give -src: %w", err)
		}
		src = strings.TrimSpace(string(out))
	}
	var functions []cases.Function
	for _, pkg := range cases.Packages {
		found, err := cases.Extract(filepath.Join(src, "pkg/scheduler/framework/plugins", pkg))
		if err != nil {
			return false, err
		}
		functions = append(functions, found...)
	}
	if list {
		for _, f := range functions {
			for _, name := range f.Cases {
				fmt.Printf("%s\t%s\t%s\n", f.Package, f.Name, name)
			}
		}
		return true, nil
	}
	covered, err := cases.Read(dir)
	if err != nil {
		return false, err
	}
	transcribed, err := cases.ReadTests(plugins, dir)
	if err != nil {
		return false, err
	}
	leftOut, err := cases.ReadLeftOut(dir)
	if err != nil {
		return false, err
	}
	return cases.Compare(functions, covered, transcribed, leftOut).Print(os.Stdout), nil
}
