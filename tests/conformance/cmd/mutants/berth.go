package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// berth is the program under test.
type berth struct {
	berthctl  string
	pluginDir string
}

const patience = time.Minute

// place is the required start of each error: the file, the line, and the column.
var place = regexp.MustCompile(`^[^:]+:[1-9][0-9]*:[1-9][0-9]*: `)

// ask checks a configuration against the plugin libraries with berthctl, and prints it with defaults if it is valid.
func (b berth) ask(path string) (verdict, error) {
	_, refusal, err := b.run("config", "check", "--config", path, "--plugin-dir", b.pluginDir)
	if err != nil || refusal != "" {
		return verdict{refusal: refusal}, err
	}
	completed, refusal, err := b.run("config", "print", "--show-secrets", "--config", path)
	if err == nil && refusal != "" {
		err = fmt.Errorf("%s: config check accepts what config print refuses: %s", path, refusal)
	}
	return verdict{accepted: true, completed: completed}, err
}

// run returns the program's output or its error text. It returns an error for any exit code other than 0 and 1.
func (b berth) run(args ...string) (string, string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, b.berthctl, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if err == nil {
		return out.String(), "", nil
	}
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		return "", "", fmt.Errorf("berthctl %s: %w\n%s", strings.Join(args, " "), err, complaints.String())
	}
	if refusal := withoutWarnings(complaints.String()); refusal != "" {
		return "", refusal, nil
	}
	return "", "refused without a reason", nil
}

func withoutWarnings(complaints string) string {
	var errs []string
	for _, line := range strings.Split(complaints, "\n") {
		if line != "" && !strings.HasPrefix(line, "warning: ") {
			errs = append(errs, line)
		}
	}
	return strings.Join(errs, "\n")
}

// placed returns whether the error contains the position in the file.
func placed(refusal string) bool {
	return place.MatchString(refusal)
}
