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

// place is what each refusal has to begin with: the file, the line and the column.
var place = regexp.MustCompile(`^[^:]+:[1-9][0-9]*:[1-9][0-9]*: `)

// ask lets Berth check a configuration against the plugin libraries, and print it completed when it is sound.
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

// run returns what the program prints, or why it refuses; an error when it ends in any other way than by exit code 1.
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

// placed says that the refusal tells where in the file the reason is.
func placed(refusal string) bool {
	return place.MatchString(refusal)
}
