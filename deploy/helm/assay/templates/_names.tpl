{{- define "assay.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/part-of: assay
{{- end }}

{{- define "assay.address" -}}
{{ if .root.Values.tls.secretName }}https{{ else }}http{{ end }}://{{ .root.Release.Name }}-{{ .name }}:{{ .port }}
{{- end }}
