{{/* A PluginSet's list: names become {name: NAME}. */}}
{{- define "berth.pluginList" -}}
{{- $list := list }}
{{- range . }}
{{- $list = append $list (kindIs "string" . | ternary (dict "name" .) .) }}
{{- end }}
{{- toYaml $list }}
{{- end }}

{{/* The plugins of scheduler-plugins that sort the queue. */}}
{{- define "berth.queueSortPlugins" -}}
["Coscheduling", "QOSSort", "TopologicalSort"]
{{- end }}

{{/*
The plugins that the first profile disables, a list in YAML. A profile has one plugin that sorts the queue: if plugins.enabled
names one, PrioritySort is disabled. (The chart of scheduler-plugins disables PrioritySort by default.)
*/}}
{{- define "berth.disabledPlugins" -}}
{{- $disabled := include "berth.pluginList" .Values.plugins.disabled | fromYamlArray }}
{{- $sorts := include "berth.queueSortPlugins" . | fromJsonArray }}
{{- $sorted := false }}
{{- range include "berth.pluginList" .Values.plugins.enabled | fromYamlArray }}
{{- if has .name $sorts }}{{ $sorted = true }}{{ end }}
{{- end }}
{{- range $disabled }}
{{- if has .name (list "*" "PrioritySort") }}{{ $sorted = false }}{{ end }}
{{- end }}
{{- if $sorted }}{{ $disabled = append $disabled (dict "name" "PrioritySort") }}{{ end }}
{{- toYaml $disabled }}
{{- end }}

{{/* The first profile: scheduler.name, plugins, pluginConfig. */}}
{{- define "berth.firstProfile" -}}
{{- $points := dict }}
{{- with .Values.plugins.enabled }}{{ $_ := set $points "enabled" (include "berth.pluginList" . | fromYamlArray) }}{{ end }}
{{- with include "berth.disabledPlugins" . | fromYamlArray }}{{ $_ := set $points "disabled" . }}{{ end }}
{{- $profile := dict "schedulerName" .Values.scheduler.name }}
{{- with $points }}{{ $_ := set $profile "plugins" (dict "multiPoint" .) }}{{ end }}
{{- with .Values.pluginConfig }}{{ $_ := set $profile "pluginConfig" . }}{{ end }}
{{- toYaml $profile }}
{{- end }}

{{/* KubeSchedulerConfiguration. The Lease has the scheduler's name, so several schedulers of a cluster do not share one. */}}
{{- define "berth.schedulerConfiguration" -}}
{{- $election := dict "leaderElect" .Values.scheduler.leaderElect "resourceName" .Values.scheduler.name "resourceNamespace" .Release.Namespace }}
{{- $configuration := dict "apiVersion" "kubescheduler.config.k8s.io/v1" "kind" "KubeSchedulerConfiguration" "leaderElection" $election }}
{{- $_ := set $configuration "profiles" (prepend .Values.profiles (include "berth.firstProfile" . | fromYaml)) }}
{{- mergeOverwrite $configuration (deepCopy .Values.schedulerConfiguration) | toYaml }}
{{- end }}

{{- define "berth.berthConfiguration" -}}
{{- $configuration := dict "apiVersion" "berth.dev/v1alpha1" "kind" "BerthConfiguration" }}
{{- with .Values.signatureKeys }}{{ $_ := set $configuration "security" (dict "signatureKeys" .) }}{{ end }}
{{- mergeOverwrite $configuration (deepCopy .Values.berthConfiguration) | toYaml }}
{{- end }}

{{/*
A digest of the fields that a running scheduler does not read again (docs/hot-swap.md). It is an annotation of the pods, so that
a change of these fields, and of no others, replaces them.
*/}}
{{- define "berth.restartDigest" -}}
{{- $fixed := list "clientConnection" "delayCacheUntilActive" "enableContentionProfiling" "enableProfiling" "extenders" "leaderElection" }}
{{- $values := dict "seed" .Values.berthConfiguration.seed }}
{{- range $name, $value := include "berth.schedulerConfiguration" . | fromYaml }}
{{- if has $name $fixed }}{{ $_ := set $values $name $value }}{{ end }}
{{- end }}
{{- toJson $values | sha256sum | trunc 16 }}
{{- end }}

{{/* The names of plugins that any profile enables, at any extension point, as {names: [...]}. */}}
{{- define "berth.enabledPlugins" -}}
{{- $names := list }}
{{- $configuration := include "berth.schedulerConfiguration" . | fromYaml }}
{{- range $profile := $configuration.profiles }}
{{- range $point, $set := $profile.plugins | default dict }}
{{- range ($set | default dict).enabled }}{{ $names = append $names .name }}{{ end }}
{{- end }}
{{- end }}
{{- dict "names" (uniq $names | sortAlpha) | toYaml }}
{{- end }}

{{/* Values that no schema can refuse, because a rule joins several of them. */}}
{{- define "berth.checkValues" -}}
{{- $configuration := include "berth.schedulerConfiguration" . | fromYaml }}
{{- if and (not $configuration.leaderElection.leaderElect) (gt (int .Values.scheduler.replicaCount) 1) }}
{{- fail (printf "scheduler.replicaCount is %d without leader election: the replicas would schedule the same pods. Set scheduler.leaderElect to true or scheduler.replicaCount to 1." (int .Values.scheduler.replicaCount)) }}
{{- end }}
{{- if and .Values.signatureKeys (dig "security" "signatureKeys" "" .Values.berthConfiguration) }}
{{- fail "signatureKeys and berthConfiguration.security.signatureKeys are both set: use one of them." }}
{{- end }}
{{- if and (not .Values.shippedPlugins) (not .Values.pluginVolumes) }}
{{- fail "shippedPlugins is false and pluginVolumes is empty: the scheduler would have no plugins." }}
{{- end }}
{{- $names := list }}
{{- range $profile := $configuration.profiles }}
{{- if has $profile.schedulerName $names }}{{ fail (printf "two profiles have the schedulerName %q" $profile.schedulerName) }}{{ end }}
{{- $names = append $names $profile.schedulerName }}
{{- end }}
{{- $types := (include "berth.knownTypes" . | fromYaml).names }}
{{- range .Values.crds.except }}
{{- if not (has . $types) }}{{ fail (printf "crds.except has %q, which is none of %s" . (join ", " $types)) }}{{ end }}
{{- end }}
{{- $volumes := list }}
{{- range .Values.pluginVolumes }}
{{- if has .name $volumes }}{{ fail (printf "two pluginVolumes have the name %q" .name) }}{{ end }}
{{- $volumes = append $volumes .name }}
{{- end }}
{{- end }}
