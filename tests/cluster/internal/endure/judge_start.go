package endure

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// library is a file and the digest of its content.
type library struct{ path, sha256 string }

// beginning is what a replica does after a start with files that berthctl refuses.
type beginning struct {
	refusal string  // of berthctl
	changed library // which the changes replace
	ended   bool
	code    int    // exit code if it ended; -1: by a signal
	ready   error  // why it is not ready if it did not end
	verbose string // /readyz?verbose if it did not end
}

// fault says what is wrong with a beginning, "" if nothing. A replica ends with exit code 1. The only exception is a changed
// library that crashes while a plugin of it starts: the replica serves profiles that do not need it (docs/faults.md).
func (b *beginning) fault() string {
	if b.ended && b.code == 1 {
		return ""
	}
	if b.ended {
		return fmt.Sprintf("a replica ends with exit code %d when it starts with what berthctl refuses: %s", b.code, b.refusal)
	}
	crash := crashInInit.FindStringSubmatch(b.refusal)
	if crash == nil || crash[1] != b.changed.path {
		return fmt.Sprintf("a replica starts with what berthctl refuses: %s", b.refusal)
	}
	if b.ready != nil {
		return fmt.Sprintf("a replica whose library crashed is not ready: %v", b.ready)
	}
	if !b.quarantined() {
		return fmt.Sprintf("a replica has not quarantined exactly the library that crashed, %s (%s): %s", b.changed.path, b.changed.sha256, b.verbose)
	}
	return ""
}

var (
	crashInInit    = regexp.MustCompile(`(?m)^berthctl: plugin "[^"]+" of profile "[^"]*" \((.+)\) crashed in init: signal \d+ \(.*\)$`)
	quarantineLine = regexp.MustCompile(`(?m)^\[\+\]quarantine ok: (.+)$`)
	inQuarantine   = regexp.MustCompile(`library (.+) \(sha256 ([0-9a-f]{64})\) is in quarantine since \S+: signal \d+ \(.*\) in init \(plugin \S+\)$`)
)

// quarantined returns whether the changed library is in quarantine because of a crash in init, and nothing else is.
func (b *beginning) quarantined() bool {
	line := quarantineLine.FindStringSubmatch(b.verbose)
	if line == nil {
		return false
	}
	for _, one := range strings.Split(line[1], "; ") {
		if found := inQuarantine.FindStringSubmatch(one); found == nil || (library{found[1], found[2]}) != b.changed {
			return false
		}
	}
	return true
}

// refusesToStart starts a replica with files that are not valid, and checks what it does.
func (c *changer) refusesToStart(ctx context.Context, s step, refusal string, i int) error {
	if err := c.start(i); err != nil {
		return err
	}
	b, err := c.begins(ctx, refusal, i)
	if err != nil {
		return err
	}
	fault := b.fault()
	switch {
	case fault != "":
		c.wrong(s, "%s", fault)
		return c.members[i].Kill()
	case b.ended:
		c.result.refused++
	default:
		c.result.quarantined++
	}
	return nil
}

// begins waits until a replica that was started ends or is ready.
func (c *changer) begins(ctx context.Context, refusal string, i int) (*beginning, error) {
	b := &beginning{refusal: refusal, changed: library{path: filepath.Join(c.own, "PrefersVersion.so")}}
	content, err := os.ReadFile(b.changed.path)
	if err != nil {
		return nil, err
	}
	b.changed.sha256 = fmt.Sprintf("%x", sha256.Sum256(content))
	d := c.members[i]
	limited, stop := context.WithTimeout(ctx, answer)
	defer stop()
	b.ready = d.Until(limited, d.Ready)
	if b.ended = !d.Running(); b.ended {
		b.code, err = d.Wait(answer)
		return b, err
	}
	b.verbose, err = page(ctx, d.URL+"/readyz?verbose")
	return b, errors.Join(ctx.Err(), err)
}
