{{/*
Where a secret comes from. A value is stored in the chart's Secret, an existingSecret is referenced;
nothing is generated, so that an upgrade changes nothing.
  secretEnv takes a dict of root, variable, section, value, key.
*/}}
{{- define "parley.secretEnv" -}}
{{- if or .section.existingSecret .value }}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ default (include "parley.fullname" .root) .section.existingSecret }}
      key: {{ empty .section.existingSecret | ternary .key .section.key }}
{{- end }}
{{- end -}}

{{/*
The URL of a store: complete from a Secret, or with the password inserted by Kubernetes, which
replaces $(NAME) in a value.
  storeEnv takes a dict of root, store (database or redis), and secret, the name of the chart's Secret.
*/}}
{{- define "parley.storeEnv" -}}
{{- $section := get .root.Values .store -}}
{{- $prefix := upper .store -}}
{{- if and $section.existingSecret $section.url }}
- name: {{ $prefix }}_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ $section.existingSecret }}
      key: {{ $section.passwordKey }}
- name: {{ $prefix }}_URL
  value: {{ $section.url | quote }}
{{- else }}
- name: {{ $prefix }}_URL
  valueFrom:
    secretKeyRef:
      name: {{ default .secret $section.existingSecret }}
      key: {{ empty $section.existingSecret | ternary (printf "%s-url" .store) $section.urlKey }}
{{- end }}
{{- end -}}

{{/* The values that the chart stores, by their keys in its Secret. */}}
{{- define "parley.keptSecrets" -}}
{{- with .Values -}}
{{- $kept := dict -}}
{{- if and .database.url (not .database.existingSecret) }}{{ $_ := set $kept "database-url" .database.url }}{{ end -}}
{{- if and .redis.url (not .redis.existingSecret) }}{{ $_ := set $kept "redis-url" .redis.url }}{{ end -}}
{{- if .secretsKey.value }}{{ $_ := set $kept "secrets-key" .secretsKey.value }}{{ end -}}
{{- if .secretsKey.previous }}{{ $_ := set $kept "secrets-key-previous" .secretsKey.previous }}{{ end -}}
{{- if .provider.apiKey }}{{ $_ := set $kept "provider-api-key" .provider.apiKey }}{{ end -}}
{{- if .bootstrap.apiKey }}{{ $_ := set $kept "bootstrap-api-key" .bootstrap.apiKey }}{{ end -}}
{{- if .bootstrap.adminPassword }}{{ $_ := set $kept "bootstrap-admin-password" .bootstrap.adminPassword }}{{ end -}}
{{- if .oidc.clientSecret }}{{ $_ := set $kept "oidc-client-secret" .oidc.clientSecret }}{{ end -}}
{{- if .fileStorage.accessKeyId }}{{ $_ := set $kept "s3-access-key-id" .fileStorage.accessKeyId }}{{ end -}}
{{- if .fileStorage.secretAccessKey }}{{ $_ := set $kept "s3-secret-access-key" .fileStorage.secretAccessKey }}{{ end -}}
{{- range $key, $value := $kept }}
{{ $key }}: {{ $value | b64enc }}
{{- end }}
{{- end -}}
{{- end -}}
