package generate

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

func TestSameSeedGivesSameFiles(t *testing.T) {
	for _, family := range Families() {
		read := func() map[string][]byte {
			c, err := New(family, 12)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if _, err := c.Write(dir); err != nil {
				t.Fatal(err)
			}
			paths, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil || len(paths) < 2 {
				t.Fatalf("%v, %v", paths, err)
			}
			files := map[string][]byte{}
			for _, path := range paths {
				if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
					t.Fatal(err)
				}
			}
			return files
		}
		first, second := read(), read()
		if len(first) != len(second) {
			t.Errorf("%s: %d files, then %d", family, len(first), len(second))
		}
		for name, data := range first {
			if !bytes.Equal(data, second[name]) {
				t.Errorf("%s: %s differs", family, name)
			}
		}
	}
}

func TestFamiliesDiffer(t *testing.T) {
	if _, err := New("no-such-family", 1); err == nil {
		t.Error("an unknown family was accepted")
	}
	for _, family := range Families() {
		if _, ok := families[family]; !ok {
			t.Errorf("%s has no doses", family)
		}
	}
	if len(families) != len(Families()) {
		t.Error("a family is never used")
	}
}

// TestOtherSpellingsMeanTheSame: another notation changes texts often and values never.
func TestOtherSpellingsMeanTheSame(t *testing.T) {
	s := &speller{random: rand.New(rand.NewPCG(1, 1))}
	texts := slices.Concat([]string{"1.5Gi", "0.1", "1e3", "12E", "100m"}, podCPU, podMemory, oddPodCPU, oddPodMemory, oddCPU, oddMemory)
	changed := 0
	for range 200 {
		for _, text := range texts {
			other := s.otherSpelling(text)
			a, b := resource.MustParse(text), resource.MustParse(other)
			if a.Cmp(b) != 0 {
				t.Fatalf("%s became %s", text, other)
			}
			if other != text {
				changed++
			}
		}
	}
	if changed < len(texts)*100 {
		t.Errorf("only %d of %d spellings changed", changed, len(texts)*200)
	}
}

// TestSpellingsAreOfEveryKind: each suffix, exponents of either sign, long fractions, and redundant characters.
func TestSpellingsAreOfEveryKind(t *testing.T) {
	s := &speller{random: rand.New(rand.NewPCG(2, 2))}
	written := map[string]bool{}
	for range 2000 {
		written[s.otherSpelling("1536Mi")] = true
		written[s.otherSpelling("1500m")] = true
	}
	for _, kind := range []string{`n$`, `u$`, `[0-9.]m$`, `k$`, `M$`, `G$`, `T$`, `P$`, `[0-9.]E$`, `Ki$`, `Mi$`, `Gi$`, `Ti$`, `Pi$`, `Ei$`, `e[0-9]+$`,
		`E[0-9]+$`, `[eE]-0?[1-9]`, `[eE]\+`, `^\+`, `^0[0-9]`, `^\.`, `\.$|\.[a-zA-Z]`, `\.[0-9]*000`, `\.[0-9]{40}`, `^[0-9]{19}`} {
		expression := regexp.MustCompile(kind)
		found := false
		for text := range written {
			found = found || expression.MatchString(text)
		}
		if !found {
			t.Errorf("no spelling is like %s", kind)
		}
	}
}

// TestStepsChangeTheSpellingOnly: in the family resources, some objects are updated with the same values in another
// notation.
func TestStepsChangeTheSpellingOnly(t *testing.T) {
	respelt := 0
	for seed := range uint64(40) {
		c, err := New("resources", seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range c.Steps {
			for _, obj := range step {
				if c.respelt[obj] {
					respelt++
				}
			}
		}
	}
	if respelt < 20 {
		t.Errorf("only %d objects of 40 clusters are spelt again", respelt)
	}
}

// TestRequestsOfWholePodsArePlain: otherwise upstream would write to them.
func TestRequestsOfWholePodsArePlain(t *testing.T) {
	cases := map[string]string{
		"0": "0", "1536Mi": "1536Mi", "1.5Gi": "1536Mi", "64Ti": "64Ti", "13743895346000000000n": "13743895346", "1n": "1n",
		"1073741824000000001n": "1073741825", "12345678901234567890n": "12345678902", "100Ti": "109951162777600",
	}
	for text, want := range cases {
		got := plain(resource.MustParse(text))
		if expected := resource.MustParse(want); got.Cmp(expected) != 0 {
			t.Errorf("%s became %s, not %s", text, got.String(), want)
		}
	}
}
