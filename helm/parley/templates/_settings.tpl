{{/* Values as the apps read them from their environment: lists with commas, numbers without an exponent. */}}
{{- define "parley.settings" -}}
{{- range $name, $value := .Values.settings }}
{{- if kindIs "slice" $value }}
{{ $name }}: {{ join "," $value | quote }}
{{- else if kindIs "float64" $value }}
{{ $name }}: {{ int64 $value | quote }}
{{- else }}
{{ $name }}: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* How long a load balancer must leave a quiet WebSocket open: longer than the longest session. */}}
{{- define "parley.tunnelSeconds" -}}
{{- add (get .Values.settings "REALTIME_MAX_SESSION_SECONDS" | default 1800 | int64) 100 -}}
{{- end -}}
