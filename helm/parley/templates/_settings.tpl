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

{{/* Whether clients of OpenAI are let in: not empty if so. */}}
{{- define "parley.openAiDoor" -}}
{{- if eq (get .Values.settings "OPENAI_DOOR" | toString) "true" -}}open{{- end -}}
{{- end -}}

{{/* How long a load balancer must leave a quiet WebSocket open: longer than the longest session. */}}
{{- define "parley.tunnelSeconds" -}}
{{- add (get .Values.settings "REALTIME_MAX_SESSION_SECONDS" | default 1800 | int64) 100 -}}
{{- end -}}

{{/* How long it must wait for the api: longer than the api lets a question, or an upload, take. */}}
{{- define "parley.answerSeconds" -}}
{{- max 360 (add (get .Values.settings "QUESTION_TIMEOUT_SECONDS" | default 120 | int64) 60) -}}
{{- end -}}

{{/* The largest body of a request in MiB: a file with what multipart puts around it, or JSON. */}}
{{- define "parley.bodyMebibytes" -}}
{{- $file := get .Values.settings "TEMPORARY_FILE_MAX_BYTES" | default 20971520 | int64 -}}
{{- $json := get .Values.settings "MAX_BODY_BYTES" | default 1048576 | int64 -}}
{{- add (div (max $file $json) 1048576) 2 -}}
{{- end -}}
