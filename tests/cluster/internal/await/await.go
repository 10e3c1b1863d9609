// Package await ends a test when something fails or does not become true in time.
package await

import (
	"context"
	"testing"
	"time"
)

// Must fails the test for an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Until calls ask until it returns nil, and fails the test with its last error after patience, or when ctx is done.
func Until(ctx context.Context, t testing.TB, patience time.Duration, ask func() error) {
	t.Helper()
	until := time.Now().Add(patience)
	for {
		err := ask()
		if err == nil {
			return
		}
		if time.Now().After(until) || ctx.Err() != nil {
			t.Fatalf("not within %s: %v", patience, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
