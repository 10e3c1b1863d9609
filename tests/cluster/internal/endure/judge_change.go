package endure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// change makes a change and checks the result of both replicas.
func (c *changer) change(ctx context.Context, s step) error {
	var before [2]view
	for i, d := range c.members {
		var err error
		if before[i], err = look(ctx, d); err != nil {
			return err
		}
	}
	if err := c.write(s); err != nil {
		return err
	}
	valid, why, err := c.check(ctx)
	if err != nil {
		return err
	}
	var results [2]string
	var now [2]view
	for i, d := range c.members {
		if results[i], now[i], err = before[i].after(ctx, d); err != nil {
			return fmt.Errorf("%s (%s): replica %d: %w\n%s", s.what, s.detail, i, err, c.text)
		}
		if !valid && results[i] != "refused" {
			c.wrong(s, "replica %d: %s what berthctl refuses: %s", i, results[i], why)
		}
		if results[i] == "refused" && now[i].content != before[i].content {
			c.wrong(s, "replica %d refused a change and has another policy", i)
		}
	}
	if results[0] != results[1] {
		c.wrong(s, "one replica: %s, the other one: %s", results[0], results[1])
	}
	if now[0].content != now[1].content {
		c.wrong(s, "the replicas have different policies:\n%s\n---\n%s", now[0].content, now[1].content)
	}
	c.result.count(s.what, results[0])
	return nil
}

// changeAndKill kills the leader right after a change. The other replica reports the result; the restarted replica accepts the
// same file, or does not start with it, or quarantines a library that crashes.
func (c *changer) changeAndKill(ctx context.Context, s step) error {
	victim, err := c.leader(ctx)
	if err != nil {
		return err
	}
	survivor := c.members[1-victim]
	before, err := look(ctx, survivor)
	if err != nil {
		return err
	}
	if err := c.write(s); err != nil {
		return err
	}
	if err := c.members[victim].Kill(); err != nil {
		return err
	}
	c.result.kills++
	valid, why, err := c.check(ctx)
	if err != nil {
		return err
	}
	result, now, err := before.after(ctx, survivor)
	if err != nil {
		return fmt.Errorf("%s (%s): %w", s.what, s.detail, err)
	}
	c.result.count(s.what+", leader killed", result)
	if !valid {
		if result != "refused" || now.content != before.content {
			c.wrong(s, "the survivor: %s what berthctl refuses: %s", result, why)
		}
		return errors.Join(c.refusesToStart(ctx, s, why, victim), c.restore(ctx))
	}
	if result == "refused" { // it needs a restart, or the canary refused it: a new process may accept it
		return c.restore(ctx)
	}
	if err := c.ready(ctx, time.Minute); err != nil {
		return err
	}
	return c.compare(ctx, s)
}

// compare: both replicas have the same policy.
func (c *changer) compare(ctx context.Context, s step) error {
	first, err := contentOf(ctx, c.members[0])
	if err != nil {
		return err
	}
	second, err := contentOf(ctx, c.members[1])
	if err == nil && first != second {
		c.wrong(s, "the replicas have different policies:\n%s\n---\n%s", first, second)
	}
	return err
}

// restore makes all files valid, restarts ended replicas, and compares the policies.
func (c *changer) restore(ctx context.Context) error {
	c.markers++
	marker := fmt.Sprintf("marker-%d", c.markers)
	s := step{what: "restored", text: c.good(c.random.IntN(100), marker)}
	var err error
	if s.library, err = os.ReadFile(c.build("1")); err != nil {
		return err
	}
	for _, d := range c.members {
		if !d.Running() {
			c.result.restarts++
		}
	}
	if err := c.write(s); err != nil {
		return err
	}
	if err := c.ready(ctx, time.Minute); err != nil {
		return err
	}
	for i := range c.members {
		if err := c.takesOver(ctx, i, marker); err != nil {
			return err
		}
	}
	c.result.count(s.what, "published")
	return c.compare(ctx, s)
}

// takesOver waits until a replica has the policy with this marker.
func (c *changer) takesOver(ctx context.Context, i int, marker string) error {
	for until := time.Now().Add(answer); time.Now().Before(until); {
		now, err := contentOf(ctx, c.members[i])
		if err != nil {
			return err
		}
		if strings.Contains(now, strconv.Quote(marker)) {
			return nil
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("replica %d does not take the valid file over; its log ends with\n%s", i, c.members[i].Tail(10))
}

func (c *changer) wrong(s step, format string, args ...any) {
	c.result.wrong("%s (%s): "+format, append([]any{s.what, s.detail}, args...)...)
}
