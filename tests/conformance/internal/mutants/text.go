package mutants

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// Edits of a document's text, most of which make it invalid YAML.

type textEdit struct {
	name  string
	apply func(text string, r *rand.Rand) string
}

func textEdits() []textEdit {
	onLine := func(name string, change func(line string, r *rand.Rand) string) textEdit {
		return textEdit{name, func(text string, r *rand.Rand) string {
			lines := strings.Split(text, "\n")
			at := r.IntN(len(lines))
			lines[at] = change(lines[at], r)
			return strings.Join(lines, "\n")
		}}
	}
	insert := func(name string, what ...string) textEdit {
		return textEdit{name, func(text string, r *rand.Rand) string {
			at := r.IntN(len(text) + 1)
			return text[:at] + what[r.IntN(len(what))] + text[at:]
		}}
	}
	whole := func(name string, change func(text string) string) textEdit {
		return textEdit{name, func(text string, _ *rand.Rand) string { return change(text) }}
	}
	return []textEdit{
		onLine("a tab", func(line string, r *rand.Rand) string { return strings.Replace(line, " ", "\t", 1+r.IntN(2)) }),
		onLine("indentation", func(line string, r *rand.Rand) string {
			if r.IntN(2) == 0 {
				return strings.TrimPrefix(line, " ")
			}
			return " " + line
		}),
		onLine("a line away", func(string, *rand.Rand) string { return "" }),
		onLine("a line twice", func(line string, _ *rand.Rand) string { return line + "\n" + line }),
		onLine("no space behind the colon", func(line string, _ *rand.Rand) string {
			return strings.Replace(line, ": ", ":", 1)
		}),
		onLine("a complex key", func(line string, _ *rand.Rand) string { return strings.Replace(line, "- ", "? ", 1) }),
		onLine("a merge key", func(line string, _ *rand.Rand) string {
			indent := line[:len(line)-len(strings.TrimLeft(line, " -"))]
			return line + "\n" + strings.ReplaceAll(indent, "-", " ") + "<<: {weight: 2}"
		}),
		insert("a stray byte", "\x00", "\xff", "\t", "\"", "'", "{", "]", ": ", "- ", "#", "&a ", "*a", "|", "%", "\u2028", "\ufeff"),
		insert("a line break", "\n", "\r\n", "\r", "\n---\n", "\n...\n", "\n--- {}\n"),
		whole("CRLF", func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }),
		whole("a byte order mark", func(text string) string { return "\ufeff" + text }),
		whole("a directive", func(text string) string { return "%YAML 1.1\n---\n" + text }),
		whole("an empty document first", func(text string) string { return "---\n---\n" + text }),
		whole("a document behind", func(text string) string { return text + "---\napiVersion: v1\nkind: List\n" }),
		whole("tabs for blanks", func(text string) string { return strings.ReplaceAll(text, "  ", "\t") }),
		{"the end cut off", func(text string, r *rand.Rand) string { return text[:r.IntN(len(text)+1)] }},
		{"lines in another order", func(text string, r *rand.Rand) string {
			lines := strings.Split(text, "\n")
			i, j := r.IntN(len(lines)), r.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
			return strings.Join(slices.Clone(lines), "\n")
		}},
	}
}
