// Command families writes the metric families that kube-scheduler registers, as a table of tab-separated facts:
//
//	go run ./cmd/families > ../data/metrics/kube-scheduler-1.36.3.tsv
//
// Columns: name, type, stability, deprecated since, labels, buckets, feature gate, help. It links what kube-scheduler
// links and registers what its start registers, and then reads the collectors of the registry: a family without series
// is missing in the text of /metrics. A family with a feature gate is registered only with that gate, which is off by
// default. Families of the Go runtime that the Go collector makes are counted as one line, go_*.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unsafe"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
	schedulermetrics "k8s.io/kubernetes/pkg/scheduler/metrics"
)

// Gates that are off by default and add families. The value is the list that a kube-scheduler needs to start with it.
var offByDefault = []string{
	"SchedulerAsyncAPICalls=true",
	"GenericWorkload=true",
}

func main() {
	if len(os.Args) == 2 {
		print(families(os.Args[1]), "")
		return
	}
	plain := families("")
	lines := map[string]string{}
	for name, line := range plain {
		lines[name] = line
	}
	for _, gate := range offByDefault {
		out, err := exec.Command(os.Args[0], gate).Output()
		if err != nil {
			fmt.Fprintln(os.Stderr, gate, err)
			os.Exit(1)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			name, _, _ := strings.Cut(line, "\t")
			if _, known := lines[name]; !known {
				fields := strings.Split(line, "\t")
				fields[6], _, _ = strings.Cut(gate, "=")
				lines[name] = strings.Join(fields, "\t")
			}
		}
	}
	print(lines, "# name\ttype\tstability\tdeprecated\tlabels\tbuckets\tgate\thelp\n")
}

func print(lines map[string]string, header string) {
	names := make([]string, 0, len(lines))
	for name := range lines {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Print(header)
	for _, name := range names {
		fmt.Println(lines[name])
	}
}

// families returns the line of each family that is registered with the gates.
func families(gates string) map[string]string {
	app.NewSchedulerCommand() // its options register the metrics of feature gates and of the version
	if gates != "" {
		if err := utilfeature.DefaultMutableFeatureGate.Set(gates); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	utilfeature.DefaultMutableFeatureGate.AddMetrics()
	schedulermetrics.Register()
	authorizerfactory.RegisterMetrics() // as delegated authorization does
	lines := map[string]string{}
	registry := legacyregistry.Registerer().(*prometheus.Registry)
	for _, field := range []string{"collectorsByID"} {
		each := private(reflect.ValueOf(registry).Elem().FieldByName(field)).MapRange()
		for each.Next() {
			describe(each.Value().Interface().(prometheus.Collector), lines)
		}
	}
	return lines
}

func private(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

type family struct {
	name, kind, stability, deprecated, labels, buckets, help string
}

func (f family) line() string {
	help := strings.ReplaceAll(strings.ReplaceAll(f.help, "\\", "\\\\"), "\n", "\\n")
	return strings.Join([]string{f.name, f.kind, f.stability, f.deprecated, f.labels, f.buckets, "", help}, "\t")
}

func describe(collector prometheus.Collector, lines map[string]string) {
	value := reflect.ValueOf(collector)
	kind, opts := "", reflect.Value{}
	if value.Kind() == reflect.Pointer && value.Elem().Kind() == reflect.Struct {
		for _, each := range []struct{ field, kind string }{
			{"CounterOpts", "counter"}, {"GaugeOpts", "gauge"}, {"HistogramOpts", "histogram"},
			{"TimingHistogramOpts", "histogram"}, {"SummaryOpts", "summary"},
		} {
			if found := value.Elem().FieldByName(each.field); found.IsValid() && found.Kind() == reflect.Pointer {
				kind, opts = each.kind, found.Elem()
			}
		}
	}
	if !opts.IsValid() {
		describeOthers(collector, lines)
		return
	}
	text := func(name string) string { return opts.FieldByName(name).String() }
	f := family{
		name: metrics.BuildFQName(text("Namespace"), text("Subsystem"), text("Name")), kind: kind,
		stability: text("StabilityLevel"), deprecated: text("DeprecatedVersion"), help: text("Help"),
	}
	if labels := value.Elem().FieldByName("originalLabels"); labels.IsValid() {
		names := append([]string(nil), private(labels).Interface().([]string)...)
		sort.Strings(names)
		f.labels = strings.Join(names, ",")
	}
	if kind == "histogram" {
		buckets := opts.FieldByName("Buckets").Interface().([]float64)
		if len(buckets) == 0 {
			buckets = prometheus.DefBuckets
		}
		var texts []string
		for _, bucket := range buckets {
			texts = append(texts, strconv.FormatFloat(bucket, 'g', -1, 64))
		}
		f.buckets = strings.Join(texts, ",")
	}
	lines[f.name] = f.line()
}

// describeOthers reads collectors that are not made from options of component-base: those of the process, of the Go
// runtime, and custom ones.
func describeOthers(collector prometheus.Collector, lines map[string]string) {
	descs := make(chan *prometheus.Desc, 10000)
	collector.Describe(descs)
	close(descs)
	for desc := range descs {
		fields := reflect.ValueOf(desc).Elem()
		f := family{name: fields.FieldByName("fqName").String(), kind: "collector", help: fields.FieldByName("help").String()}
		if strings.HasPrefix(f.name, "go_") {
			f = family{name: "go_*", kind: "collector", help: "the Go runtime"}
		}
		if variable := fields.FieldByName("variableLabels"); variable.IsValid() && !variable.IsNil() {
			var names []string
			list := variable.Elem().FieldByName("names")
			for i := 0; i < list.Len(); i++ {
				names = append(names, list.Index(i).String())
			}
			sort.Strings(names)
			f.labels = strings.Join(names, ",")
		}
		if level, rest, found := strings.Cut(strings.TrimPrefix(f.help, "["), "] "); found && strings.HasPrefix(f.help, "[") {
			f.stability, f.help = level, "["+level+"] "+rest
		}
		lines[f.name] = f.line()
	}
}
