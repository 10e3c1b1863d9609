// Package swaplog reads a scheduler's log: bindings, and changes of its policy.
package swaplog

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Messages, at -v=2.
const (
	Published  = "Published a new policy"
	Rejected   = "Rejected a policy change, the current policy stays active"
	RolledBack = "Rolled back to the previous policy"
	Unchanged  = "Files changed, the policy did not"
	Bound      = "Successfully bound pod to node"
)

// Line is one entry of the log, which may have several lines in the file.
type Line struct {
	Time     time.Time
	Severity byte // I, W or E
	Message  string
	Values   map[string]string // texts without their quotes; other values unchanged
	Text     string            // as it is in the file, without the header
	bytes    int64             // of the file
}

// Generation is the value of that name; 0 if there is none.
func (l *Line) Generation() uint64 {
	n, _ := strconv.ParseUint(l.Values["generation"], 10, 64)
	return n
}

// List is a value that is a list of texts.
func (l *Line) List(key string) ([]string, error) {
	var list []string
	if l.Values[key] == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(l.Values[key]), &list); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", key, l.Text, err)
	}
	return list, nil
}

// IsSwap returns whether the line contains the result of an attempt to change the policy.
func (l *Line) IsSwap() bool {
	return l.Message == Published || l.Message == Rejected || l.Message == RolledBack || l.Message == Unchanged
}

var header = regexp.MustCompile(`^([IWE])(\d{4} \d\d:\d\d:\d\d\.\d{6}) +\d+ [^ \]]+\] `)

// Parse returns false for text that is no line of the scheduler, such as the last output of a child process.
func Parse(text string) (Line, bool) {
	m := header.FindStringSubmatch(text)
	if m == nil {
		return Line{}, false
	}
	// The log has no year; tests do not run over New Year's Eve.
	at, err := time.ParseInLocation("2006 0102 15:04:05.000000", fmt.Sprint(time.Now().Year())+" "+m[2], time.Local)
	if err != nil {
		return Line{}, false
	}
	l := Line{Time: at, Severity: m[1][0], Text: text[len(m[0]):], Values: map[string]string{}}
	quoted, err := strconv.QuotedPrefix(l.Text)
	if err != nil {
		l.Message = l.Text // a message without values is not quoted
		return l, true
	}
	l.Message, _ = strconv.Unquote(quoted)
	l.values(l.Text[len(quoted):])
	return l, true
}

// values reads ` key=value key=value`.
func (l *Line) values(rest string) {
	for {
		key, after, found := strings.Cut(strings.TrimLeft(rest, " "), "=")
		if !found {
			return
		}
		var value string
		value, rest = cutValue(after)
		l.Values[key] = value
	}
}

// cutValue returns the first value of the text, and the rest.
func cutValue(text string) (value, rest string) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		value, _ = strconv.Unquote(quoted)
		return value, text[len(quoted):]
	}
	if several, ok := strings.CutPrefix(text, "<\n"); ok {
		value, rest, _ = strings.Cut(several, "\n >")
		return strings.ReplaceAll(strings.TrimPrefix(value, "\t"), "\n\t", "\n"), rest
	}
	if strings.HasPrefix(text, "[") {
		decoder := json.NewDecoder(strings.NewReader(text))
		var list json.RawMessage
		if decoder.Decode(&list) == nil {
			return string(list), text[decoder.InputOffset():]
		}
	}
	value, rest, found := strings.Cut(text, " ")
	if found {
		rest = " " + rest
	}
	return value, rest
}
