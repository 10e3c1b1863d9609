package cases

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// nameFields are upstream's names for the field with the name of a case, for loops that do not show it.
var nameFields = []string{"name", "Name", "desc", "description"}

// rangeNames lists the names of the cases of a loop, none if it does not range over a table of cases.
func (p *source) rangeNames(loop *ast.RangeStmt, locals map[string]*ast.CompositeLit) []string {
	table, ok := loop.X.(*ast.CompositeLit)
	if ident, isIdent := loop.X.(*ast.Ident); isIdent {
		if table, ok = locals[ident.Name]; !ok {
			table, ok = p.tables[ident.Name]
		}
	}
	if !ok {
		return nil
	}
	if _, isMap := table.Type.(*ast.MapType); isMap {
		return p.mapNames(loop, table)
	}
	if !isListOfCases(table) || !runsSubtests(loop) {
		return nil
	}
	field := nameField(loop)
	var names []string
	for i, element := range table.Elts {
		names = append(names, p.caseName(element, table, field, i))
	}
	return names
}

// mapNames takes the keys, if the loop uses them as names.
func (p *source) mapNames(loop *ast.RangeStmt, table *ast.CompositeLit) []string {
	key, ok := loop.Key.(*ast.Ident)
	if !ok || key.Name == "_" || !runsSubtests(loop) {
		return nil
	}
	var names []string
	for _, element := range table.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			names = append(names, p.textOrSource(pair.Key))
		}
	}
	return names
}

// isListOfCases returns whether the elements are struct literals.
func isListOfCases(table *ast.CompositeLit) bool {
	if _, isList := table.Type.(*ast.ArrayType); !isList || len(table.Elts) == 0 {
		return false
	}
	return !slices.ContainsFunc(table.Elts, func(e ast.Expr) bool {
		if ref, ok := e.(*ast.UnaryExpr); ok {
			e = ref.X
		}
		_, isStruct := e.(*ast.CompositeLit)
		return !isStruct
	})
}

var testingMethods = []string{"Run", "SyncTest", "Errorf", "Error", "Fatalf", "Fatal"}

// runsSubtests returns whether the loop's body tests something: it starts subtests or reports errors. Loops that
// prepare a cluster do neither.
func runsSubtests(loop *ast.RangeStmt) bool {
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			method, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && slices.Contains(testingMethods, method.Sel.Name)
		}
		return !found
	})
	return found
}

// nameField finds the field of the loop's variable that the first argument of Run or SyncTest is made from.
func nameField(loop *ast.RangeStmt) string {
	variable, ok := loop.Value.(*ast.Ident)
	if !ok {
		return ""
	}
	field := ""
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || field != "" {
			return field == ""
		}
		if method, ok := call.Fun.(*ast.SelectorExpr); ok && (method.Sel.Name == "Run" || method.Sel.Name == "SyncTest") {
			ast.Inspect(call.Args[0], func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := s.X.(*ast.Ident); ok && of.Name == variable.Name {
						field = s.Sel.Name
					}
				}
				return true
			})
		}
		return true
	})
	return field
}

// caseName is the value of the name field of one element. Elements without one are called case_N as in upstream's own
// loops.
func (p *source) caseName(element ast.Expr, table *ast.CompositeLit, field string, index int) string {
	if ref, ok := element.(*ast.UnaryExpr); ok {
		element = ref.X
	}
	fields := nameFields
	if field != "" {
		fields = []string{field}
	}
	for i, value := range element.(*ast.CompositeLit).Elts {
		if pair, ok := value.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && slices.Contains(fields, key.Name) {
				return p.textOrSource(pair.Value)
			}
		} else if slices.Contains(fields, fieldAt(table, i)) {
			return p.textOrSource(value)
		}
	}
	return fmt.Sprintf("case_%d", index)
}

// fieldAt names the i-th field of the table's element type where that is written in place.
func fieldAt(table *ast.CompositeLit, i int) string {
	element, ok := table.Type.(*ast.ArrayType).Elt.(*ast.StructType)
	if !ok {
		return ""
	}
	at := 0
	for _, f := range element.Fields.List {
		for _, name := range f.Names {
			if at == i {
				return name.Name
			}
			at++
		}
	}
	return ""
}

// textOrSource is the value of a string expression, or its source if only running it gives the value.
func (p *source) textOrSource(e ast.Expr) string {
	if text, ok := p.text(e); ok {
		return text
	}
	var out bytes.Buffer
	if err := printer.Fprint(&out, token.NewFileSet(), e); err != nil {
		return fmt.Sprintf("%T", e)
	}
	return strings.TrimSpace(out.String())
}

func (p *source) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := p.text(e.X)
		right, ok2 := p.text(e.Y)
		return left + right, ok && ok2 && e.Op == token.ADD
	case *ast.ParenExpr:
		return p.text(e.X)
	case *ast.Ident:
		text, ok := p.strings[e.Name]
		return text, ok
	}
	return "", false
}
