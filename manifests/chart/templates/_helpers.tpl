{{/*
The programs of the release, a list in YAML: the name of the program's objects, the label of its component, and its HTTPS port.
*/}}
{{- define "berth.programs" -}}
- {name: {{ .Values.scheduler.name | quote }}, component: scheduler, port: {{ int .Values.securePort }}}
{{- $controller := .Values.controller | default dict }}
{{- if gt (int (get $controller "replicaCount")) 0 }}
- {name: {{ get $controller "name" | quote }}, component: controllers, port: 10262}
{{- end }}
{{- end }}

{{/* Labels that select the pods of a component; they never change for a release. */}}
{{- define "berth.selectorLabelsOf" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "berth.labelsOf" -}}
{{ include "berth.selectorLabelsOf" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "berth.selectorLabels" -}}
{{ include "berth.selectorLabelsOf" (dict "root" . "component" "scheduler") }}
{{- end }}

{{- define "berth.labels" -}}
{{ include "berth.labelsOf" (dict "root" . "component" "scheduler") }}
{{- end }}

{{- define "berth.controllerSelectorLabels" -}}
{{ include "berth.selectorLabelsOf" (dict "root" . "component" "controllers") }}
{{- end }}

{{- define "berth.controllerLabels" -}}
{{ include "berth.labelsOf" (dict "root" . "component" "controllers") }}
{{- end }}

{{- define "berth.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default .Values.scheduler.name }}
{{- end }}

{{/* Names of objects without a namespace, or in another one, name the release's namespace. */}}
{{- define "berth.clusterName" -}}
berth:{{ .Release.Namespace }}:{{ .Values.scheduler.name }}
{{- end }}

{{/* Where the libraries of a plugin volume are: root, path. */}}
{{- define "berth.pluginDirectory" -}}
{{ printf "/plugin-volumes/%s/%s" .name (.path | default "plugins" | trimAll "/") }}
{{- end }}
