package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"berth.dev/berth/tests/conformance/internal/mutants"
)

// difference is an intended difference with its reason. A disagreement that it explains does not count.
type difference struct {
	name   string
	reason string
	holds  func(m mutants.Mutant, ours, theirs verdict) bool
}

const nothing = `( *(#.*)?\n)*` // empty lines and comments

var (
	oldVersion  = regexp.MustCompile(`no kind "[A-Za-z]+" is registered for version "kubescheduler.config.k8s.io/v1beta[23]"`)
	extenderURL = regexp.MustCompile(`^[^:]+:[1-9]\d*:[1-9]\d*: extenders\[\d+\]\.urlPrefix: `)
	refusedArgs = regexp.MustCompile(`: profiles\[(\d+)\]\.pluginConfig\[(\d+)\]\.args`)
	moreThanOne = regexp.MustCompile(`(?m)^(---|\.\.\.)`)
	emptyFirst  = regexp.MustCompile(`^` + nothing + `(\.\.\.|---\n` + nothing + `(---|\.\.\.))`)
)

// Plugins of Kubernetes 1.23 that Berth has and kube-scheduler 1.36 does not.
var legacy = []string{
	"NodeResourcesLeastAllocated", "NodeResourcesMostAllocated", "RequestedToCapacityRatio", "SelectorSpread",
	"EBSLimits", "GCEPDLimits", "AzureDiskLimits", "CinderLimits",
}

func known() []difference {
	return []difference{
		{"old versions", "Berth reads v1beta2 and v1beta3, which kube-scheduler 1.36 has dropped",
			func(_ mutants.Mutant, _, theirs verdict) bool { return oldVersion.MatchString(theirs.refusal) }},
		{"an empty document first", "kube-scheduler reads the first document and no other; Berth passes over empty ones",
			func(m mutants.Mutant, ours, theirs verdict) bool {
				return ours.accepted && !theirs.accepted && emptyFirst.MatchString(m.Text)
			}},
		{"several documents", "kube-scheduler reads the first document and never looks at what follows; Berth reads a " +
			"BerthConfiguration there, and refuses what is none",
			func(m mutants.Mutant, ours, theirs verdict) bool {
				return theirs.accepted && !ours.accepted && moreThanOne.MatchString(strings.TrimPrefix(m.Text, "---"))
			}},
		{"a flow map as the whole", "kube-scheduler takes what begins with { for JSON; Berth reads it as YAML when it is not",
			func(m mutants.Mutant, ours, theirs verdict) bool {
				return ours.accepted && strings.HasPrefix(m.Text, "{") && strings.Contains(theirs.refusal, "json parse error")
			}},
		{"line breaks of old", "a lone CR and Unicode's line breaks, which the two YAML readers take differently: Berth refuses them",
			func(_ mutants.Mutant, ours, theirs verdict) bool {
				return theirs.accepted && strings.Contains(ours.refusal, "a line break that is neither LF nor CRLF")
			}},
		{"NodeResourcesFitArgs", "kube-scheduler looks its check of NodeResourcesFit's args up under this name, which no plugin has",
			func(m mutants.Mutant, _, theirs verdict) bool {
				return strings.Contains(theirs.refusal, "has to match plugin args") &&
					strings.Contains(m.Text, "name: NodeResourcesFitArgs")
			}},
		{"gang scheduling", "kube-scheduler has the plugin, for an alpha API that is disabled by default; Berth has no such plugin",
			func(_ mutants.Mutant, ours, theirs verdict) bool {
				return theirs.accepted && strings.Contains(ours.refusal, `offers a plugin "GangScheduling"`)
			}},
		{"an extender's address", "Berth looks at urlPrefix when it reads it, kube-scheduler when it first asks",
			func(_ mutants.Mutant, ours, _ verdict) bool { return extenderURL.MatchString(ours.refusal) }},
		{"args of plugins of old", "kube-scheduler 1.36 does not know the plugin and never looks at its args; Berth has it",
			func(m mutants.Mutant, ours, theirs verdict) bool {
				return theirs.accepted && slices.Contains(legacy, pluginOfRefusedArgs(m.Text, ours.refusal))
			}},
		{"args of Berth's plugins", "their stand-ins on kube-scheduler's side never look at args",
			func(m mutants.Mutant, ours, theirs verdict) bool {
				return theirs.accepted && registry()[pluginOfRefusedArgs(m.Text, ours.refusal)] != nil
			}},
	}
}

// pluginOfRefusedArgs is the plugin whose args Berth refuses, "" if it refuses something else.
func pluginOfRefusedArgs(text, refusal string) string {
	place := refusedArgs.FindStringSubmatch(refusal)
	var config struct {
		Profiles []struct {
			PluginConfig []struct {
				Name string `yaml:"name"`
			} `yaml:"pluginConfig"`
		} `yaml:"profiles"`
	}
	if place == nil || yaml.Unmarshal([]byte(text), &config) != nil {
		return ""
	}
	profile, _ := strconv.Atoi(place[1])
	entry, _ := strconv.Atoi(place[2])
	if profile >= len(config.Profiles) || entry >= len(config.Profiles[profile].PluginConfig) {
		return ""
	}
	return config.Profiles[profile].PluginConfig[entry].Name
}

// explain names the difference that explains a disagreement, "" if none does.
func explain(m mutants.Mutant, ours, theirs verdict) string {
	for _, d := range known() {
		if d.holds(m, ours, theirs) {
			return d.name
		}
	}
	return ""
}
