// protobufcases writes objects in both encodings of the API server, for tests/unit/api/protobuf and protobuf_compare:
// those of k8s.io/api/testdata/HEAD (-testdata), made-up ones (-n of each kind), or a pod for benchmarks (-typical).
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"berth.dev/berth/tests/conformance/internal/protobufcases"
)

func main() {
	testdata := flag.Bool("testdata", false, "write upstream's golden files")
	n := flag.Int("n", 10, "made-up objects of each kind")
	kinds := flag.Int("kinds", len(protobufcases.Kinds), "only of the first kinds: 2 = pods and nodes")
	seed := flag.Uint64("seed", 1, "of the made-up objects")
	typical := flag.Bool("typical", false, "write the pod of the benchmark")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	var err error
	switch {
	case *testdata:
		err = writeGolden(out)
	case *typical:
		err = protobufcases.WriteTypical(out)
	default:
		err = protobufcases.WriteRandom(out, protobufcases.Kinds[:*kinds], *n, *seed)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeGolden(out *bufio.Writer) error {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		return fmt.Errorf("go list finds no k8s.io/api; run this inside the module: %w", err)
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(folder)), "testdata", "HEAD", "*.pb"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		envelope, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(strings.TrimSuffix(path, ".pb") + ".json")
		if err != nil {
			return err
		}
		if err := protobufcases.Write(out, envelope, text); err != nil {
			return err
		}
	}
	return nil
}
