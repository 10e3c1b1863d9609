{{/* The volumes of pluginVolumes. */}}
{{- define "berth.pluginVolumes" -}}
{{- range .Values.pluginVolumes }}
- name: plugins-{{ .name }}
  {{- if .image }}
  image:
    reference: {{ .image | quote }}
    pullPolicy: {{ .pullPolicy | default "IfNotPresent" }}
  {{- else if .claim }}
  persistentVolumeClaim:
    claimName: {{ .claim }}
    readOnly: true
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}
{{- end }}

{{/*
One init container for each initImage. It copies to a subdirectory: every user may write to the volume's root, and
security.checkOwner rejects libraries in such a directory.
*/}}
{{- define "berth.initContainers" -}}
{{- $values := .Values }}
{{- $containers := list }}
{{- range .Values.pluginVolumes }}{{ if .initImage }}{{ $containers = append $containers . }}{{ end }}{{ end }}
{{- if or $containers .Values.extraInitContainers }}
initContainers:
{{- range $containers }}
- name: plugins-{{ .name }}
  image: {{ .initImage | quote }}
  imagePullPolicy: {{ .pullPolicy | default "IfNotPresent" }}
  command:
  - sh
  - -ec
  - |
    install -d -m 0755 "$TO"
    for file in "$FROM"/*.so "$FROM"/*.so.sig; do
      [ ! -e "$file" ] || install -m 0555 "$file" "$TO/"
    done
  env:
  - {name: FROM, value: {{ printf "/%s" (.path | default "plugins" | trimAll "/") | quote }}}
  - {name: TO, value: {{ include "berth.pluginDirectory" . | quote }}}
  {{- with $values.securityContext }}
  securityContext: {{- toYaml . | nindent 4 }}
  {{- end }}
  resources:
    requests: {cpu: 10m, memory: 16Mi}
  volumeMounts:
  - {name: plugins-{{ .name }}, mountPath: /plugin-volumes/{{ .name }}}
{{- end }}
{{- with .Values.extraInitContainers }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end }}
