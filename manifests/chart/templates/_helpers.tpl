{{/* Labels that select the pods; they never change for a release. */}}
{{- define "berth.selectorLabels" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: scheduler
{{- end }}

{{- define "berth.labels" -}}
{{ include "berth.selectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The same of the controllers. */}}
{{- define "berth.controllerSelectorLabels" -}}
app.kubernetes.io/name: berth
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: controllers
{{- end }}

{{- define "berth.controllerLabels" -}}
{{ include "berth.controllerSelectorLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
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
