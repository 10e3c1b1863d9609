package cases

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Transcribed counts, by upstream package and case name, the string literals in C++ tests with that name, with their
// files.
type Transcribed map[string]map[string][]string

// ReadTests collects the string literals of plugins/<plugin>/*_test.cc, and of upstream/<package>_test.cc. A folder or
// file is about the upstream package that it is called after.
func ReadTests(plugins, upstream string) (Transcribed, error) {
	byFolder, err := filepath.Glob(filepath.Join(plugins, "*", "*_test.cc"))
	if err != nil {
		return nil, err
	}
	byName, err := filepath.Glob(filepath.Join(upstream, "*_test.cc"))
	if err != nil {
		return nil, err
	}
	found := Transcribed{}
	for _, path := range slices.Concat(byFolder, byName) {
		pkg, where := packageOf(strings.TrimSuffix(filepath.Base(path), "_test.cc")), filepath.Base(path)
		if slices.Contains(byFolder, path) {
			folder := filepath.Base(filepath.Dir(path))
			pkg, where = packageOf(folder), folder+"/"+where
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if found[pkg] == nil {
			found[pkg] = map[string][]string{}
		}
		for _, literal := range literals(string(text)) {
			found[pkg][literal] = append(found[pkg][literal], where)
		}
	}
	// The SDK implements framework/preemption, and the plugin's tests cover it.
	found["preemption"] = found["defaultpreemption"]
	return found, nil
}

// take assigns a different place to each of the cases with this name, regardless of #01 and so on. If there are fewer
// places than cases, the assignment is ambiguous, and none gets one.
func (t Transcribed) take(pkg, name string, cases int) []string {
	if places := t[pkg][name]; len(places) >= cases {
		return places[:cases]
	}
	return nil
}

// literals lists a C++ source's string literals, neighbours joined as the compiler joins them.
func literals(source string) []string {
	var all []string
	joins := false // nothing but space since the last one
	for i := 0; i < len(source); {
		rest := source[i:]
		switch {
		case strings.HasPrefix(rest, "//"):
			i += until(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += until(rest, "*/")
		case strings.HasPrefix(rest, `R"`):
			open := strings.Index(rest, "(")
			end := ")" + rest[2:open] + `"`
			i += until(rest, end)
			all = keep(all, strings.TrimSuffix(rest[open+1:until(rest, end)], end), joins)
			joins = true
		case rest[0] == '"' || rest[0] == '\'' && (i == 0 || !isDigit(source[i-1])): // 1'000 is a number
			n := quoted(rest)
			if rest[0] == '"' {
				if text, err := strconv.Unquote(rest[:n]); err == nil {
					all = keep(all, text, joins)
				}
			}
			joins = rest[0] == '"'
			i += n
		default:
			joins = joins && strings.ContainsRune(" \t\r\n", rune(rest[0]))
			i++
		}
	}
	return all
}

func keep(all []string, text string, joins bool) []string {
	if joins {
		all[len(all)-1] += text
		return all
	}
	return append(all, text)
}

// until returns the text after the first `end`; a text without one ends there.
func until(text, end string) int {
	if at := strings.Index(text, end); at >= 0 {
		return at + len(end)
	}
	return len(text)
}

func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
