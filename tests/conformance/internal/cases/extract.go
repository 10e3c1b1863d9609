// Package cases reads the names of upstream's table tests from their source and compares them with the names in
// tests/upstream.
package cases

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// Packages are upstream's packages of the default plugins, below pkg/scheduler/framework/plugins.
var Packages = []string{
	"queuesort", "schedulinggates", "nodeunschedulable", "nodename", "tainttoleration", "nodeaffinity", "nodeports", "noderesources",
	"imagelocality", "podtopologyspread", "interpodaffinity", "defaultpreemption", "../preemption", "volumebinding", "volumerestrictions", "volumezone",
	"nodevolumelimits", "nodedeclaredfeatures", "dynamicresources", "defaultbinder",
}

// Function is one test function and the names of its cases in source order. A function without a table is one case with the
// function's name. A name that occurs again gets the suffix #01, #02 as in `go test`.
type Function struct {
	Package string
	Name    string
	Cases   []string
}

// Extract lists the test functions of one package directory.
func Extract(dir string) ([]Function, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s holds no tests", dir)
	}
	p := &source{functions: map[string]*ast.FuncDecl{}, tables: map[string]*ast.CompositeLit{}, strings: map[string]string{}}
	slices.Sort(paths)
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.index(file)
	}
	var found []Function
	for _, name := range p.order {
		if strings.HasPrefix(name, "Test") {
			found = append(found, Function{Package: filepath.Base(dir), Name: name, Cases: p.cases(name)})
		}
	}
	return found, nil
}

// source is one package's test files.
type source struct {
	functions map[string]*ast.FuncDecl
	order     []string
	tables    map[string]*ast.CompositeLit // package-level variables
	strings   map[string]string            // package-level string constants
}

func (p *source) index(file *ast.File) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.functions[d.Name.Name] = d
				p.order = append(p.order, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok {
					p.indexValues(value)
				}
			}
		}
	}
}

func (p *source) indexValues(value *ast.ValueSpec) {
	for i, name := range value.Names {
		if i >= len(value.Values) {
			return
		}
		switch v := value.Values[i].(type) {
		case *ast.CompositeLit:
			p.tables[name.Name] = v
		case *ast.BasicLit:
			if text, ok := p.text(v); ok {
				p.strings[name.Name] = text
			}
		}
	}
}

// cases lists the names of a test function's cases.
func (p *source) cases(name string) []string {
	names := p.namesIn(p.functions[name], map[string]bool{})
	if len(names) == 0 {
		return []string{name}
	}
	seen := map[string]int{}
	for i, n := range names {
		if seen[n] > 0 {
			names[i] = fmt.Sprintf("%s#%02d", n, seen[n])
		}
		seen[n]++
	}
	return names
}

// namesIn lists the names of the tables a function ranges over, and of those in the helpers named test... it calls.
func (p *source) namesIn(f *ast.FuncDecl, visited map[string]bool) []string {
	if f == nil || f.Body == nil || visited[f.Name.Name] {
		return nil
	}
	visited[f.Name.Name] = true
	locals := localTables(f.Body)
	var names []string
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			names = append(names, p.rangeNames(n, locals)...)
		case *ast.CallExpr:
			if callee, ok := n.Fun.(*ast.Ident); ok && strings.HasPrefix(callee.Name, "test") {
				names = append(names, p.namesIn(p.functions[callee.Name], visited)...)
			}
		}
		return true
	})
	return names
}

func localTables(body *ast.BlockStmt) map[string]*ast.CompositeLit {
	tables := map[string]*ast.CompositeLit{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if i < len(n.Rhs) {
					keepTable(tables, n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Names {
				if i < len(n.Values) {
					keepTable(tables, n.Names[i], n.Values[i])
				}
			}
		}
		return true
	})
	return tables
}

func keepTable(tables map[string]*ast.CompositeLit, name, value ast.Expr) {
	ident, isIdent := name.(*ast.Ident)
	table, isTable := value.(*ast.CompositeLit)
	if isIdent && isTable {
		tables[ident.Name] = table
	}
}
