{{/* Formats values for the environment: lists with commas, numbers without an exponent. */}}
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

{{/* Not empty if OpenAI clients are accepted. */}}
{{- define "parley.openAiDoor" -}}
{{- if eq (get .Values.settings "OPENAI_DOOR" | toString) "true" -}}open{{- end -}}
{{- end -}}

{{/* How long a starting pod waits for its stores, and without the Job for an api that migrates. */}}
{{- define "parley.storeWaitSeconds" -}}
{{- $migrating := .Values.migration.enabled | ternary 0 .Values.migration.activeDeadlineSeconds -}}
{{- add (get .Values.settings "STORE_WAIT_SECONDS" | default 90 | int64) (int64 $migrating) -}}
{{- end -}}

{{/* How long a load balancer must keep a silent WebSocket open: longer than the longest session. */}}
{{- define "parley.tunnelSeconds" -}}
{{- add (get .Values.settings "REALTIME_MAX_SESSION_SECONDS" | default 1800 | int64) 100 -}}
{{- end -}}

{{/* How long it must wait for the api: longer than a question or an upload may take. */}}
{{- define "parley.answerSeconds" -}}
{{- max 360 (add (get .Values.settings "QUESTION_TIMEOUT_SECONDS" | default 120 | int64) 60) -}}
{{- end -}}

{{/* The largest body of a request in MiB: a file in multipart form data, or JSON. */}}
{{- define "parley.bodyMebibytes" -}}
{{- $file := get .Values.settings "TEMPORARY_FILE_MAX_BYTES" | default 20971520 | int64 -}}
{{- $json := get .Values.settings "MAX_BODY_BYTES" | default 1048576 | int64 -}}
{{- add (div (max $file $json) 1048576) 2 -}}
{{- end -}}
