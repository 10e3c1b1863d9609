// Package logdir chooses where the tests leave their logs.
package logdir

import (
	"errors"
	"os"
)

// New returns the directory that BERTH_CLUSTER_LOGS names, after emptying it, or else a temporary one with this pattern.
func New(pattern string) (string, error) {
	if dir := os.Getenv("BERTH_CLUSTER_LOGS"); dir != "" {
		return dir, errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
	}
	return os.MkdirTemp("", pattern)
}
