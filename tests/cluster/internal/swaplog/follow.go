package swaplog

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Follower reads a log that is still being written. One goroutine at a time.
type Follower struct {
	path string
	at   int64 // everything before this offset has been read
}

// Follow starts at the beginning of the log.
func Follow(path string) *Follower { return &Follower{path: path} }

// Next returns the lines written since the last call, whole lines only.
func (f *Follower) Next() ([]Line, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.Seek(f.at, io.SeekStart); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	whole := wholeLines(string(text))
	f.at += int64(len(whole))
	return parseAll(whole), nil
}

// Skip skips everything written so far.
func (f *Follower) Skip() error {
	_, err := f.Next()
	return err
}

// Swap waits for the next line with the result of an attempt to change the policy.
func (f *Follower) Swap(ctx context.Context, patience time.Duration) (Line, error) {
	until := time.Now().Add(patience)
	for {
		before := f.at
		lines, err := f.Next()
		if err != nil {
			return Line{}, err
		}
		for i, line := range lines {
			if !line.IsSwap() {
				continue
			}
			f.at = before
			for _, read := range lines[:i+1] {
				f.at += read.bytes
			}
			return line, nil
		}
		if time.Now().After(until) || ctx.Err() != nil {
			return Line{}, fmt.Errorf("%s says of no change of policy within %s", f.path, patience)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// wholeLines omits the end if it may be incomplete: a line, or a value of several lines.
func wholeLines(text string) string {
	text = text[:strings.LastIndexByte(text, '\n')+1]
	for text != "" {
		last := text[strings.LastIndexByte(text[:len(text)-1], '\n')+1:]
		if !strings.HasPrefix(last, "\t") && !strings.HasSuffix(last, "=<\n") {
			return text
		}
		text = text[:len(text)-len(last)]
	}
	return text
}

// parseAll splits text into the scheduler's lines; foreign lines belong to the line before them.
func parseAll(text string) []Line {
	var lines []Line
	for text != "" {
		end := strings.IndexByte(text, '\n') + 1
		for end < len(text) && (strings.HasPrefix(text[end:], "\t") || strings.HasPrefix(text[end:], " >")) {
			end += strings.IndexByte(text[end:], '\n') + 1
		}
		line, ok := Parse(text[:end-1])
		switch {
		case ok:
			line.bytes = int64(end)
			lines = append(lines, line)
		case len(lines) > 0:
			lines[len(lines)-1].bytes += int64(end)
		default:
			lines = append(lines, Line{bytes: int64(end)})
		}
		text = text[end:]
	}
	return lines
}
