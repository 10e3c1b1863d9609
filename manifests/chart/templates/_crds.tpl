{{/*
The types that the enabled plugins and the controllers list, as {names: [PLURAL.GROUP]}: those of the rules that permit it.
*/}}
{{- define "berth.listedTypes" -}}
{{- $known := .Files.Get "files/plugin-rules.yaml" | fromYaml }}
{{- $rules := list }}
{{- range (include "berth.enabledPlugins" . | fromYaml).names }}
{{- $rules = concat $rules (get $known . | default list) }}
{{- end }}
{{- if gt (int (dig "replicaCount" 0 (.Values.controller | default dict))) 0 }}
{{- $rules = concat $rules (.Files.Get "files/controller-rules.yaml" | fromYamlArray) }}
{{- end }}
{{- $names := list }}
{{- range $rule := $rules }}
{{- range $group := $rule.apiGroups }}
{{- range $rule.resources }}{{ $names = append $names (printf "%s.%s" . $group) }}{{ end }}
{{- end }}
{{- end }}
{{- dict "names" (uniq $names | sortAlpha) | toYaml }}
{{- end }}

{{/*
"theirs" if the cluster has this type and it is not of this release: Helm would fail, and the type need not be ours. A type that
the release has had stays in it even without its annotations, because Helm deletes what leaves a release. helm template and
--dry-run=client see no cluster.
*/}}
{{- define "berth.ownerOfType" -}}
{{- $type := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" .name }}
{{- $notes := dig "metadata" "annotations" dict $type | default dict }}
{{- $ours := and (eq (get $notes "meta.helm.sh/release-name") .root.Release.Name) (eq (get $notes "meta.helm.sh/release-namespace") .root.Release.Namespace) }}
{{- $before := lookup "v1" "ConfigMap" .root.Release.Namespace (printf "%s-config" .root.Values.scheduler.name) }}
{{- $had := dig "metadata" "annotations" "berth.dev/types" "" $before | splitList "," | has .name }}
{{- if and $type (not $ours) (not $had) }}theirs{{ end }}
{{- end }}

{{/*
The definitions of the release by name, from files/crds: of the listed types, without those of crds.except, and without those
that the cluster has from others. None with crds.install=false.
*/}}
{{- define "berth.types" -}}
{{- $types := dict }}
{{- $listed := (include "berth.listedTypes" . | fromYaml).names }}
{{- if .Values.crds.install }}
{{- range $path, $_ := .Files.Glob "files/crds/*.yaml" }}
{{- $type := $.Files.Get $path | fromYaml }}
{{- $name := $type.metadata.name }}
{{- if and (has $name $listed) (not (has $name $.Values.crds.except)) }}
{{- if ne (include "berth.ownerOfType" (dict "root" $ "name" $name)) "theirs" }}{{ $_ := set $types $name $type }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $types }}
{{- end }}

{{/* The names of all definitions of the chart, as {names: [...]}. */}}
{{- define "berth.knownTypes" -}}
{{- $names := list }}
{{- range $path, $_ := .Files.Glob "files/crds/*.yaml" }}{{ $names = append $names ($.Files.Get $path | fromYaml).metadata.name }}{{ end }}
{{- dict "names" $names | toYaml }}
{{- end }}

{{/* Those that the release needs and does not define. */}}
{{- define "berth.missingTypes" -}}
{{- $defined := include "berth.types" . | fromYaml }}
{{- $listed := (include "berth.listedTypes" . | fromYaml).names }}
{{- $missing := list }}
{{- range (include "berth.knownTypes" . | fromYaml).names }}
{{- if and (has . $listed) (not (hasKey $defined .)) }}{{ $missing = append $missing . }}{{ end }}
{{- end }}
{{- dict "names" $missing | toYaml }}
{{- end }}
