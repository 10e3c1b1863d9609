package endure

import (
	"errors"
	"strings"
	"testing"
)

const (
	digest = "bec7d50cb746e8cf004a335b1cea3e45b601109b7d3f92d0adf57a30d8328e28"
	other  = "079ec61d720ece8bacec99b3aff395e845dfe38b5936b1f2eb285079b13648e9"
	typo   = `a.yaml:9:3: profiles[1].plugin: unknown field`
	crash  = "berthctl: plugin \"PrefersVersion\" of profile \"endure\" (/own/PrefersVersion.so) crashed in init: signal 6 (Aborted)\n"
	lists  = "[+]quarantine ok: profile endure is not served: plugin PrefersVersion: library /own/PrefersVersion.so (sha256 " +
		digest + ") is in quarantine since 2026-11-25T21:57:47Z: signal 6 (Aborted) in init (plugin PrefersVersion)"
)

func around(line string) string {
	return "[+]configuration ok\n" + line + "\n[+]shutdown ok\nreadyz check passed\n"
}

func TestAReplicaBeginsWithWhatBerthctlRefuses(t *testing.T) {
	second := strings.Replace(lists[len("[+]quarantine ok: "):], "profile endure", "profile endure-other", 1)
	stranger := strings.NewReplacer("/own/PrefersVersion.so", "/lib/NodeAffinity.so", digest, other).Replace(second)
	for name, c := range map[string]struct {
		begins beginning
		want   string // a part of the fault; "": none
	}{
		"ends because of a typo":                 {beginning{refusal: typo, ended: true, code: 1}, ""},
		"ends because no profile is left":        {beginning{refusal: crash, ended: true, code: 1}, ""},
		"ends as if all was well":                {beginning{refusal: typo, ended: true}, "exit code 0"},
		"is killed by the crash":                 {beginning{refusal: crash, ended: true, code: -1}, "exit code -1"},
		"serves with a typo":                     {beginning{refusal: typo, verbose: around("[+]quarantine ok")}, "starts with what berthctl refuses"},
		"serves with a typo and a quarantine":    {beginning{refusal: typo, verbose: around(lists)}, "starts with what berthctl refuses"},
		"serves without the library":             {beginning{refusal: crash, verbose: around(lists)}, ""},
		"serves without it in two profiles":      {beginning{refusal: crash, verbose: around(lists + "; " + second)}, ""},
		"serves after warnings of berthctl":      {beginning{refusal: "a warning\n" + crash, verbose: around(lists)}, ""},
		"leaves an optional plugin out":          {beginning{refusal: crash, verbose: around(strings.Replace(lists, "is not served:", "does without", 1))}, ""},
		"does not get ready":                     {beginning{refusal: crash, verbose: around(lists), ready: errors.New("503")}, "not ready: 503"},
		"serves with the library":                {beginning{refusal: crash, verbose: around("[+]quarantine ok")}, "has not quarantined"},
		"says nothing of a quarantine":           {beginning{refusal: crash}, "has not quarantined"},
		"quarantines another content":            {beginning{refusal: crash, verbose: around(strings.Replace(lists, digest, other, 1))}, "has not quarantined"},
		"quarantines another library":            {beginning{refusal: crash, verbose: around(strings.Replace(lists, "/own/P", "/lib/P", 1))}, "has not quarantined"},
		"quarantines one more library":           {beginning{refusal: crash, verbose: around(lists + "; " + stranger)}, "has not quarantined"},
		"quarantines it because of another call": {beginning{refusal: crash, verbose: around(strings.Replace(lists, "in init", "in Filter", 1))}, "has not quarantined"},
		"a shipped library crashes":              {beginning{refusal: strings.Replace(crash, "/own/", "/lib/", 1), verbose: around(strings.Replace(lists, "/own/", "/lib/", 1))}, "starts with what berthctl refuses"},
		"the library crashes in another call":    {beginning{refusal: strings.Replace(crash, "in init", "in Filter", 1), verbose: around(lists)}, "starts with what berthctl refuses"},
		"the library throws in its init":         {beginning{refusal: `berthctl: plugin "PrefersVersion" of profile "endure": init threw`, verbose: around(lists)}, "starts with what berthctl refuses"},
	} {
		c.begins.changed = library{"/own/PrefersVersion.so", digest}
		if got := c.begins.fault(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: the fault is %q, not %q", name, got, c.want)
		}
	}
}
