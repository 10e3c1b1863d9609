package cases

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// LeftOutFile lists, in the directory of covered cases, those left out on purpose.
const LeftOutFile = "left-out.yaml"

// LeftOut is one entry of LeftOutFile.
type LeftOut struct {
	Package string   `json:"package"`
	Test    string   `json:"test"`
	Names   []string `json:"names"` // none: every case of the test
	Reason  string   `json:"reason"`
}

// Covered is a set of cases by package, test function and name.
type Covered map[string]map[string]sets.Set[string]

func (c Covered) add(pkg, test, name string) {
	if c[pkg] == nil {
		c[pkg] = map[string]sets.Set[string]{}
	}
	if c[pkg][test] == nil {
		c[pkg][test] = sets.New[string]()
	}
	c[pkg][test].Insert(name)
}

// Read collects the cases the YAML files of a directory cover. A mapping that has both `test: TestFunction` and `cases:
// [{name: ...}]` counts, however deep it lies. Its package is the value of `package` or `plugin` in it or around it, or
// the file's name up to the first dot.
func Read(dir string) (Covered, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	covered := Covered{}
	for _, path := range paths {
		if filepath.Base(path) == LeftOutFile {
			continue
		}
		if err := readFile(path, covered); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return covered, nil
}

func readFile(path string, covered Covered) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	stem, _, _ := strings.Cut(filepath.Base(path), ".")
	documents := utilyaml.NewYAMLReader(bufio.NewReader(file))
	for {
		raw, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var document any
		if err := yaml.Unmarshal(raw, &document); err != nil {
			return err
		}
		if err := walk(document, packageOf(stem), covered); err != nil {
			return err
		}
	}
}

func walk(value any, pkg string, covered Covered) error {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			if err := walk(e, pkg, covered); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range []string{"plugin", "package"} {
			if text, ok := v[key].(string); ok {
				pkg = packageOf(text)
			}
		}
		test, hasTest := v["test"].(string)
		list, hasCases := v["cases"].([]any)
		if hasTest && hasCases {
			return addCases(list, pkg, test, covered)
		}
		for _, e := range v {
			if err := walk(e, pkg, covered); err != nil {
				return err
			}
		}
	}
	return nil
}

func addCases(list []any, pkg, test string, covered Covered) error {
	for i, e := range list {
		c, ok := e.(map[string]any)
		name, named := c["name"].(string)
		if !ok || !named {
			return fmt.Errorf("case %d of %s has no name, or one that YAML does not read as text", i, test)
		}
		covered.add(pkg, test, name)
	}
	return nil
}

// packageOf turns a plugin's name, as profiles or directories spell it, into its upstream package.
func packageOf(name string) string {
	switch plain := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name)); plain {
	case "noderesourcesfit", "noderesourcesbalancedallocation", "fit", "balancedallocation":
		return "noderesources"
	case "prioritysort":
		return "queuesort"
	default:
		return plain
	}
}

// ReadLeftOut reads the list of cases left out; a directory without one leaves nothing out.
func ReadLeftOut(dir string) ([]LeftOut, error) {
	path := filepath.Join(dir, LeftOutFile)
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []LeftOut
	if err := yaml.UnmarshalStrict(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, l := range list {
		if l.Package == "" || l.Test == "" || strings.TrimSpace(l.Reason) == "" {
			return nil, fmt.Errorf("%s: entry %d needs package, test and reason", path, i)
		}
	}
	return list, nil
}
