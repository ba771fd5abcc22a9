{{- define "parley.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 38 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- $full | trunc 38 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/*
An app, as most of the templates below take it: a dict of
  root    the chart's root context
  name    the component, which is also the name of its folder
  values  its section of the values
  public  whether it has a public port
*/}}
{{- define "parley.appName" -}}
{{ include "parley.fullname" .root }}-{{ .name }}
{{- end -}}

{{/* The labels that selectors match; they must never change. */}}
{{- define "parley.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .name }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "parley.labels" -}}
{{ include "parley.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: parley
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "parley.image" -}}
{{- $image := .values.image -}}
{{- $global := .root.Values.image -}}
{{- $repository := empty $global.registry | ternary $image.repository (printf "%s/%s" (trimSuffix "/" $global.registry) $image.repository) -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (coalesce $image.tag $global.tag .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "parley.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "parley.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}
