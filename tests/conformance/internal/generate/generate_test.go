package generate

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// TestOtherSpellingsMeanTheSame: respelling changes texts often and values never.
func TestOtherSpellingsMeanTheSame(t *testing.T) {
	w := &fileWriter{random: rand.New(rand.NewPCG(1, 1))}
	changed := 0
	for range 200 {
		for _, text := range append(append([]string{"1.5Gi", "0.1", "1e3", "12E", "100m"}, podCPU...), podMemory...) {
			other := w.otherSpelling(text)
			a, b := resource.MustParse(text), resource.MustParse(other)
			if a.Cmp(b) != 0 {
				t.Fatalf("%s became %s", text, other)
			}
			if other != text {
				changed++
			}
		}
	}
	if changed < 1000 {
		t.Errorf("only %d spellings changed", changed)
	}
}
