{{/* Checks that the schema cannot express; messages name the values to change. */}}
{{- define "parley.validate" -}}
{{- range $store := list "database" "redis" -}}
{{- $section := get $.Values $store -}}
{{- if not (or $section.url $section.existingSecret) -}}
{{- fail (printf "%s.url or %s.existingSecret is required" $store $store) -}}
{{- end -}}
{{- $placeholder := printf "$(%s_PASSWORD)" (upper $store) -}}
{{- if and $section.url $section.existingSecret (not (and $section.passwordKey (contains $placeholder $section.url))) -}}
{{- fail (printf "%s.url and %s.existingSecret together need %s.passwordKey, and %s in the url" $store $store $store $placeholder) -}}
{{- end -}}
{{- if and $section.passwordKey (not (and $section.url $section.existingSecret)) -}}
{{- fail (printf "%s.passwordKey needs %s.url and %s.existingSecret" $store $store $store) -}}
{{- end -}}
{{- end -}}
{{- with .Values.redis -}}
{{- if and (eq .mode "sentinel") (not .sentinelMaster) -}}{{- fail "redis.mode sentinel needs redis.sentinelMaster" -}}{{- end -}}
{{- if and (ne .mode "sentinel") .sentinelMaster -}}{{- fail "redis.sentinelMaster needs redis.mode sentinel" -}}{{- end -}}
{{- if and .sentinelPasswordKey (not (and .sentinelMaster .existingSecret)) -}}
{{- fail "redis.sentinelPasswordKey needs redis.sentinelMaster and redis.existingSecret" -}}
{{- end -}}
{{- end -}}
{{- if not (or .Values.secretsKey.value .Values.secretsKey.existingSecret) -}}
{{- fail "secretsKey.value or secretsKey.existingSecret is required: openssl rand -base64 32 makes a key" -}}
{{- end -}}
{{- with .Values.secretsKey -}}
{{- if and .previous .existingSecret -}}{{- fail "secretsKey.previous needs secretsKey.value; with existingSecret, name previousKey" -}}{{- end -}}
{{- if and .previousKey (not .existingSecret) -}}{{- fail "secretsKey.previousKey needs secretsKey.existingSecret" -}}{{- end -}}
{{- end -}}
{{- range $section, $value := dict "secretsKey" .Values.secretsKey.value "provider" .Values.provider.apiKey "bootstrap" .Values.bootstrap.apiKey "oidc" .Values.oidc.clientSecret -}}
{{- if and $value (get $.Values $section).existingSecret -}}
{{- fail (printf "%s: give the value or existingSecret, not both" $section) -}}
{{- end -}}
{{- end -}}
{{- with .Values.provider -}}
{{- if and (has .kind (list "openai" "azure-openai")) (not (or .apiKey .existingSecret)) -}}
{{- fail (printf "provider.kind %s needs provider.apiKey or provider.existingSecret" .kind) -}}
{{- end -}}
{{- if and (has .kind (list "azure-openai" "openai-compatible")) (not .baseUrl) -}}
{{- fail (printf "provider.kind %s needs provider.baseUrl" .kind) -}}
{{- end -}}
{{- if ne (eq .kind "simulator") $.Values.simulator.enabled -}}
{{- fail "simulator.enabled and provider.kind simulator belong together" -}}
{{- end -}}
{{- end -}}
{{- with .Values.fileStorage -}}
{{- if and (eq .kind "s3") (not .bucket) -}}{{- fail "fileStorage.kind s3 needs fileStorage.bucket" -}}{{- end -}}
{{- if and .existingSecret (or .accessKeyId .secretAccessKey) -}}
{{- fail "fileStorage: give accessKeyId and secretAccessKey or existingSecret, not both" -}}
{{- end -}}
{{- if ne (empty .accessKeyId) (empty .secretAccessKey) -}}
{{- fail "fileStorage: accessKeyId and secretAccessKey belong together" -}}
{{- end -}}
{{- end -}}
{{- if and (or .Values.bootstrap.apiKey .Values.bootstrap.existingSecret) (not .Values.bootstrap.organizationId) -}}
{{- fail "bootstrap: a key needs bootstrap.organizationId" -}}
{{- end -}}
{{- with .Values.bootstrap -}}
{{- if and .adminEmail (not .organizationId) -}}{{- fail "bootstrap.adminEmail needs bootstrap.organizationId" -}}{{- end -}}
{{- if and (or .adminPassword .adminPasswordKey) (not .adminEmail) -}}{{- fail "bootstrap: a password needs bootstrap.adminEmail" -}}{{- end -}}
{{- if and .adminPassword .adminPasswordKey -}}{{- fail "bootstrap: give adminPassword or adminPasswordKey, not both" -}}{{- end -}}
{{- if and .adminPasswordKey (not .existingSecret) -}}{{- fail "bootstrap.adminPasswordKey needs bootstrap.existingSecret" -}}{{- end -}}
{{- end -}}
{{- range $name, $others := dict "OIDC_ISSUER" (list "PUBLIC_URL" "OIDC_CLIENT_ID") "OIDC_CLIENT_ID" (list "OIDC_ISSUER") "OIDC_ALLOWED_DOMAINS" (list "OIDC_ISSUER") -}}
{{- range $other := $others -}}
{{- if and (get $.Values.settings $name) (not (get $.Values.settings $other)) -}}
{{- fail (printf "settings.%s needs settings.%s" $name $other) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (or .Values.oidc.clientSecret .Values.oidc.existingSecret) (not (get .Values.settings "OIDC_CLIENT_ID")) -}}
{{- fail "oidc: a secret needs settings.OIDC_CLIENT_ID" -}}
{{- end -}}
{{- if and .Values.caBundle.existingSecret .Values.caBundle.existingConfigMap -}}
{{- fail "caBundle: give existingSecret or existingConfigMap, not both" -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.enabled needs httpRoute.parentRefs" -}}
{{- end -}}
{{- with .Values.ingress -}}
{{- if and .enabled (eq .controller "other") (not .realtimePath) -}}
{{- fail "ingress.controller other needs ingress.realtimePath: what matches /api/v1/Agent/{agentId}/realtime in your controller's syntax" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.sessionTest.existingSecret (not .Values.sessionTest.organizationId) -}}
{{- fail "sessionTest.existingSecret needs sessionTest.organizationId" -}}
{{- end -}}
{{- if include "parley.keptSecrets" . | trim -}}
{{- range $section := list "database" "redis" "secretsKey" "provider" "fileStorage" "bootstrap" "oidc" "caBundle" "sessionTest" -}}
{{- if eq (get $.Values $section).existingSecret (include "parley.fullname" $) -}}
{{- fail (printf "%s.existingSecret: %s is the name of the chart's own Secret, which holds the values that you give here; give yours another name" $section (include "parley.fullname" $)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
