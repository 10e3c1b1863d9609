package cases

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const upstreamStyle = `package p

const shared = "by constant"

func TestByField(t *testing.T) {
	nodes := []*v1.Node{{Name: "not a case"}}
	for _, n := range nodes { use(n) }
	tests := []struct{ nodes []node; name string }{
		{nodes: []node{{name: "not a case either"}}, name: "first"},
		{name: "sec" + "ond"},
		{name: shared},
		{name: "first"},
	}
	for _, test := range tests { t.Run(test.name, func(t *testing.T) { for range test.nodes { t.Error() } }) }
}
func TestByPosition(t *testing.T) {
	for _, c := range []struct{ in, desc string }{{"x", "one"}, {"y", "two"}} { t.Run(c.desc, nil) }
}
func TestByKey(t *testing.T) {
	cases := map[string]struct{}{"a key": {}, "another": {}}
	for name := range cases { tCtx.SyncTest(name, nil) }
}
func TestThroughHelper(t *testing.T) { testThroughHelper(t) }
func testThroughHelper(t TContext) {
	tests := []struct{ name string }{{name: "inside"}}
	for _, test := range tests { t.SyncTest(test.name, nil) }
}
func TestUnnamed(t *testing.T) {
	type Test struct{ in int }
	tests := []Test{{in: 1}, {in: 2}}
	for i, test := range tests { t.Run(fmt.Sprintf("case_%d", i), func(t *testing.T) { use(test) }) }
}
func TestWithoutSubtests(t *testing.T) {
	tests := []*struct{ name string }{{name: "plain"}}
	for _, test := range tests { t.Errorf("%s", test.name) }
}
func TestWithoutTable(t *testing.T) { t.Fatal() }
func BenchmarkIgnored(b *testing.B) {}
`

func TestExtract(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(upstreamStyle), 0o644); err != nil {
		t.Fatal(err)
	}
	functions, err := Extract(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"TestByField":         {"first", "second", "by constant", "first#01"},
		"TestByPosition":      {"one", "two"},
		"TestByKey":           {"a key", "another"},
		"TestThroughHelper":   {"inside"},
		"TestUnnamed":         {"case_0", "case_1"},
		"TestWithoutSubtests": {"plain"},
		"TestWithoutTable":    {"TestWithoutTable"},
	}
	if len(functions) != len(want) {
		t.Errorf("%d functions, not %d", len(functions), len(want))
	}
	for _, f := range functions {
		if f.Package != "p" || !slices.Equal(f.Cases, want[f.Name]) {
			t.Errorf("%s %s: %q, not %q", f.Package, f.Name, f.Cases, want[f.Name])
		}
	}
}

func TestCompare(t *testing.T) {
	functions := []Function{
		{"nodename", "TestA", []string{"one", "two", "three"}},
		{"noderesources", "TestB", []string{"x", "y"}},
	}
	files := map[string]string{
		"nodename.yaml":      "test: TestA\ncases:\n- name: one\n---\ntest: TestA\ncases:\n- name: two\n",
		"anything.yaml":      "plugin: NodeResourcesFit\nsuites:\n- test: TestB\n  cases: [{name: x}]\n",
		"left-out-here.yaml": "package: nodename\nnothing: here\n",
	}
	full := "- {package: nodename, test: TestA, names: [three], reason: needs a gate}\n- {package: noderesources, test: TestB, reason: all of it}\n"
	check := func(name, leftOut string, extra map[string]string, ok bool, contain string) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(file, text string) {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for file, text := range files {
				write(file, text)
			}
			for file, text := range extra {
				write(file, text)
			}
			if leftOut != "" {
				write(LeftOutFile, leftOut)
			}
			covered, err := Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			left, err := ReadLeftOut(dir)
			if err != nil {
				if ok || !strings.Contains(err.Error(), contain) {
					t.Fatal(err)
				}
				return
			}
			transcribed, err := ReadTests(filepath.Join(dir, "plugins"), dir)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if got := Compare(functions, covered, transcribed, left).Print(&out); got != ok || !strings.Contains(out.String(), contain) {
				t.Errorf("%v:\n%s", got, out.String())
			}
		})
	}
	check("all accounted for", full, nil, true, "5 cases: 3 recorded, 0 in C++, 2 left out with a reason, 0 missing; 0 names unknown")
	check("one missing", strings.Split(full, "\n")[1], nil, false, `missing:  "three"`)
	check("nothing left out", "", nil, false, "2 missing")
	tests := strings.Split(full, "\n")[1]
	check("in the plugin's test", tests, map[string]string{"plugins/node_name/plugin_test.cc": `Case{"three", 1}`}, true, "1 in node_name/plugin_test.cc")
	check("in a test of the package", tests, map[string]string{"nodename_test.cc": `"th" "ree"`}, true, "1 in nodename_test.cc")
	check("in another plugin's test", tests, map[string]string{"plugins/node_ports/plugin_test.cc": `"three"`}, false, `missing:  "three"`)
	check("only in a comment", tests, map[string]string{"nodename_test.cc": `// "three"`}, false, `missing:  "three"`)
	check("left out without a reason", "- {package: nodename, test: TestA}\n", nil, false, "needs package, test and reason")
	check("left out but unknown", full+"- {package: nodename, test: TestA, names: [four], reason: r}\n", nil, false, `unknown: left out: nodename TestA has no case "four"`)
	check("covered but unknown", full, map[string]string{"nodename.more.yaml": "test: TestA\ncases: [{name: uno}]\n"}, false, `has no case "uno"`)
	check("unknown test", full, map[string]string{"nodename.more.yaml": "test: TestZ\ncases: [{name: uno}]\n"}, false, "nodename has no TestZ")
}

func TestTranscribed(t *testing.T) {
	functions := []Function{{"p", "TestA", []string{"twice", "once"}}, {"p", "TestB", []string{"twice", "twice#01"}}}
	for n, missing := range map[int]int{0: 4, 2: 3, 3: 0} {
		found := Transcribed{"p": {"twice": slices.Repeat([]string{"here"}, n)}}
		if n > 0 {
			found["p"]["once"] = []string{"there"}
		}
		got := 0
		for _, l := range Compare(functions, nil, found, nil).Lines {
			got += len(l.Missing)
		}
		if got != missing {
			t.Errorf("named %d times: %d missing, not %d", n, got, missing)
		}
	}
}

func TestLiterals(t *testing.T) {
	source := `#include "a.h"
	// "no"
	/* "no" */ f('"', 1'000, "x\"y", "two" /* and */ " parts"
	  " more", R"(raw "one")", R"d()")d", "");`
	want := []string{"a.h", `x"y`, "two parts more", `raw "one"`, `)"`, ""}
	if got := literals(source); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}
