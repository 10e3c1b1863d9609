package mutants

import (
	"math/rand/v2"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Edits of a document's tree. Each chooses a random place and returns a description; "": there is no such place.

type edit struct {
	name  string
	apply func(t *tree) bool
}

// tree is a document with all of its nodes.
type tree struct {
	root   *yaml.Node
	random *rand.Rand
}

func treeEdits() []edit {
	return []edit{
		{"rename a field", (*tree).renameField},
		{"change a field's case", (*tree).changeCase},
		{"add a field", (*tree).addField},
		{"drop a member", (*tree).drop},
		{"repeat a member", (*tree).repeat},
		{"another value", (*tree).anotherValue},
		{"another value", (*tree).anotherValue},
		{"another value", (*tree).anotherValue},
		{"no value", (*tree).noValue},
		{"another name", (*tree).anotherName},
		{"another name", (*tree).anotherName},
		{"another number", (*tree).anotherNumber},
		{"another number", (*tree).anotherNumber},
		{"put into a list", (*tree).intoList},
		{"put into a map", (*tree).intoMap},
		{"a copy elsewhere", (*tree).copyElsewhere},
		{"anchor and alias", (*tree).alias},
		{"another style", (*tree).restyle},
		{"another tag", (*tree).retag},
	}
}

// nodes lists the nodes that want holds for.
func (t *tree) nodes(want func(n *yaml.Node) bool) []*yaml.Node {
	var found []*yaml.Node
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if want(n) {
			found = append(found, n)
		}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(t.root)
	return found
}

func pick[T any](t *tree, from []T) (T, bool) {
	if len(from) == 0 {
		var none T
		return none, false
	}
	return from[t.random.IntN(len(from))], true
}

func isMap(n *yaml.Node) bool { return n.Kind == yaml.MappingNode && len(n.Content) > 0 }

// member draws a map and the index of one of its keys.
func (t *tree) member() (*yaml.Node, int, bool) {
	m, ok := pick(t, t.nodes(isMap))
	if !ok {
		return nil, 0, false
	}
	return m, 2 * t.random.IntN(len(m.Content)/2), true
}

// value draws a value of a map or an item of a list.
func (t *tree) value() (*yaml.Node, bool) {
	var values []*yaml.Node
	for _, n := range t.nodes(func(n *yaml.Node) bool { return len(n.Content) > 0 }) {
		for i, child := range n.Content {
			if n.Kind == yaml.SequenceNode || n.Kind == yaml.MappingNode && i%2 == 1 {
				values = append(values, child)
			}
		}
	}
	return pick(t, values)
}

func (t *tree) renameField() bool {
	m, at, ok := t.member()
	if !ok {
		return false
	}
	key := m.Content[at]
	letters := []rune(key.Value + "x")
	i := t.random.IntN(len(letters))
	switch t.random.IntN(3) {
	case 0:
		letters = slices.Delete(letters, i, i+1)
	case 1:
		letters = slices.Insert(letters, i, 's')
	default:
		letters = []rune(fields[t.random.IntN(len(fields))])
	}
	key.Value = string(letters)
	return true
}

func (t *tree) changeCase() bool {
	m, at, ok := t.member()
	if !ok || m.Content[at].Value == "" {
		return false
	}
	key := m.Content[at]
	old := key.Value
	switch t.random.IntN(3) {
	case 0:
		key.Value = strings.ToUpper(old[:1]) + old[1:]
	case 1:
		key.Value = strings.ToLower(old)
	default:
		key.Value = strings.ToUpper(old)
	}
	return key.Value != old
}

func (t *tree) addField() bool {
	m, _, ok := t.member()
	if !ok {
		return false
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Value: fields[t.random.IntN(len(fields))]}
	m.Content = append(m.Content, key, t.made())
	return true
}

func (t *tree) drop() bool {
	if n, ok := pick(t, t.nodes(isList)); ok && t.random.IntN(2) == 0 {
		i := t.random.IntN(len(n.Content))
		n.Content = slices.Delete(n.Content, i, i+1)
		return true
	}
	m, at, ok := t.member()
	if ok {
		m.Content = slices.Delete(m.Content, at, at+2)
	}
	return ok
}

func isList(n *yaml.Node) bool { return n.Kind == yaml.SequenceNode && len(n.Content) > 0 }

func (t *tree) repeat() bool {
	if n, ok := pick(t, t.nodes(isList)); ok && t.random.IntN(3) > 0 {
		n.Content = append(n.Content, n.Content[t.random.IntN(len(n.Content))])
		return true
	}
	m, at, ok := t.member()
	if ok {
		m.Content = append(m.Content, m.Content[at], m.Content[at+1])
	}
	return ok
}

func (t *tree) anotherValue() bool {
	n, ok := t.value()
	if ok {
		*n = *t.made()
	}
	return ok
}

func (t *tree) noValue() bool {
	n, ok := t.value()
	if ok {
		*n = *null()
	}
	return ok
}

func (t *tree) anotherName() bool {
	named := t.nodes(func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && slices.Contains(names, n.Value) })
	n, ok := pick(t, named)
	if ok {
		n.Value = names[t.random.IntN(len(names))]
	}
	return ok
}

func (t *tree) anotherNumber() bool {
	n, ok := pick(t, t.nodes(func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!int" }))
	if ok {
		*n = yaml.Node{Kind: yaml.ScalarNode, Value: numbers[t.random.IntN(len(numbers))]}
	}
	return ok
}

func (t *tree) intoList() bool {
	n, ok := t.value()
	if ok {
		inner := *n
		*n = yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{&inner}}
	}
	return ok
}

func (t *tree) intoMap() bool {
	n, ok := t.value()
	if ok {
		inner := *n
		key := &yaml.Node{Kind: yaml.ScalarNode, Value: fields[t.random.IntN(len(fields))]}
		*n = yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, &inner}}
	}
	return ok
}

func (t *tree) copyElsewhere() bool {
	from, ok := t.value()
	to, also := t.value()
	if !ok || !also || slices.Contains((&tree{root: from}).nodes(func(*yaml.Node) bool { return true }), to) {
		return false
	}
	inner := (&tree{root: to}).nodes(func(n *yaml.Node) bool { return n == from })
	if len(inner) > 0 {
		return false
	}
	*to = *clone(from)
	return true
}

// clone copies a node with all below it; what an alias names stays the same.
func clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for _, child := range n.Content {
		c.Content = append(c.Content, clone(child))
	}
	return &c
}

func (t *tree) alias() bool {
	from, ok := t.value()
	if !ok || from.Kind == yaml.AliasNode {
		return false
	}
	if m, at, ok := t.member(); ok && from.Kind != yaml.ScalarNode || ok && t.random.IntN(2) == 0 {
		if slices.Contains((&tree{root: from}).nodes(func(*yaml.Node) bool { return true }), m) {
			return false
		}
		from.Anchor = "a"
		m.Content[at+1] = &yaml.Node{Kind: yaml.AliasNode, Value: "a", Alias: from}
		return true
	}
	return false
}

func (t *tree) restyle() bool {
	n, ok := pick(t, t.nodes(func(n *yaml.Node) bool { return n.Kind != yaml.DocumentNode }))
	if !ok {
		return false
	}
	if n.Kind == yaml.ScalarNode {
		styles := []yaml.Style{yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle, 0}
		n.Style = styles[t.random.IntN(len(styles))]
		n.Tag = ""
	} else {
		n.Style ^= yaml.FlowStyle
	}
	return true
}

func (t *tree) retag() bool {
	n, ok := t.value()
	if ok {
		n.Tag = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!mine", "!!binary", "!!seq"}[t.random.IntN(8)]
		n.Style |= yaml.TaggedStyle
	}
	return ok
}
