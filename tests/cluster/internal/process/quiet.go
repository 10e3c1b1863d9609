package process

import (
	"errors"
	"flag"

	"k8s.io/klog/v2"
)

// Quiet redirects client-go's log of this process to a file. Call it before anything else of client-go.
func Quiet(file string) error {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(flags)
	return errors.Join(flags.Set("logtostderr", "false"), flags.Set("log_file", file), flags.Set("stderrthreshold", "FATAL"))
}
