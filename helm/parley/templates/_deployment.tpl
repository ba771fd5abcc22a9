{{/* The Deployment of an app. In addition to the app's dict, it takes env, the app's own environment as YAML. */}}
{{- define "parley.deployment" -}}
{{- $drain := include "parley.drain" . | fromJson -}}
{{- $replicas := include "parley.replicas" . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "parley.appName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "parley.labels" . | nindent 4 }}
  {{- with $replicas }}
  annotations:
    parley/replicas: named
  {{- end }}
spec:
  {{- with $replicas }}
  replicas: {{ . }}
  {{- end }}
  revisionHistoryLimit: 5
  minReadySeconds: 10
  progressDeadlineSeconds: {{ add (include "parley.storeWaitSeconds" .root | int64) 510 }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "parley.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      {{- include "parley.podMetadata" . | nindent 6 }}
    spec:
      serviceAccountName: {{ include "parley.serviceAccountName" .root }}
      {{- include "parley.podSettings" . | nindent 6 }}
      {{- with include "parley.spread" . | trim }}
      {{- . | nindent 6 }}
      {{- end }}
      terminationGracePeriodSeconds: {{ int64 $drain.grace }}
      containers:
        - name: {{ .name }}
          image: {{ include "parley.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          terminationMessagePolicy: FallbackToLogsOnError
          ports:
            {{- if .public }}
            - name: http
              containerPort: 8080
            {{- end }}
            - name: internal
              containerPort: 9090
          envFrom:
            - configMapRef:
                name: {{ include "parley.fullname" .root }}-settings
          {{- with list (include "parley.commonEnv" .) (default "" .env) (include "parley.extraEnv" .) | join "" | trim }}
          env:
            {{- . | nindent 12 }}
          {{- end }}
          {{- include "parley.probes" . | nindent 10 }}
          {{- if $drain.preStop }}
          lifecycle:
            preStop:
              sleep:
                seconds: {{ int64 $drain.preStop }}
          {{- end }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          {{- include "parley.containerSecurity" . | nindent 10 }}
          volumeMounts:
            {{- include "parley.volumeMounts" . | nindent 12 }}
      volumes:
        {{- include "parley.volumes" . | nindent 8 }}
{{- end -}}

{{/*
Started: both stores were reached once, and are migrated; a process that waits for them gives up
first, and logs why. Live: the process responds, whatever its stores do, because a restart does not
bring a store back. Ready: started and not draining, because an unavailable store would otherwise
make every pod unready at once. A process that does not respond for half a minute does not drain
either, so it does not get the time for it: the clients of its resumable sessions, whose connections
end with it, must still be in time to continue elsewhere.
*/}}
{{- define "parley.probes" -}}
startupProbe:
  httpGet:
    path: /readyz
    port: internal
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: {{ div (add (include "parley.storeWaitSeconds" .root | int64) 30) 2 }}
livenessProbe:
  httpGet:
    path: /livez
    port: internal
  periodSeconds: 5
  timeoutSeconds: 4
  failureThreshold: 6
  terminationGracePeriodSeconds: 5
readinessProbe:
  httpGet:
    path: /readyz
    port: internal
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}

{{/* How an app shuts down, within its share of the time. */}}
{{- define "parley.drainEnv" -}}
{{- $drain := include "parley.drain" . | fromJson }}
{{- if .public }}
- name: DRAIN_LAG_SECONDS
  value: {{ int64 $drain.lag | quote }}
{{- end }}
- name: DRAIN_TIMEOUT_SECONDS
  value: {{ int64 $drain.timeout | quote }}
{{- end -}}

{{/* Where other pods of the app reach the internal port of this one. */}}
{{- define "parley.peerEnv" }}
- name: INTERNAL_HOST
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
{{- end -}}

{{- define "parley.storesEnv" -}}
{{- $secret := include "parley.fullname" .root }}
{{- include "parley.storeEnv" (dict "root" .root "store" "database" "secret" $secret) }}
{{- include "parley.storeEnv" (dict "root" .root "store" "redis" "secret" $secret) }}
- name: REDIS_MODE
  value: {{ .root.Values.redis.mode }}
{{- if not .root.Values.migration.enabled }}
- name: STORE_WAIT_SECONDS
  value: {{ include "parley.storeWaitSeconds" .root | quote }}
{{- end }}
{{- with .root.Values.redis.sentinelMaster }}
- name: REDIS_SENTINEL_MASTER
  value: {{ . | quote }}
{{- end }}
{{- with .root.Values.redis.sentinelPasswordKey }}
- name: REDIS_SENTINEL_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ $.root.Values.redis.existingSecret }}
      key: {{ . }}
{{- end }}
{{- end -}}

{{/* For apps that run agents: their secrets, and the default provider. */}}
{{- define "parley.providerEnv" -}}
{{- $provider := .root.Values.provider }}
{{- include "parley.secretEnv" (dict "root" .root "variable" "SECRETS_KEY" "section" .root.Values.secretsKey "value" .root.Values.secretsKey.value "key" "secrets-key") }}
{{- with .root.Values.secretsKey }}
{{- if or .previous .previousKey }}
{{- $section := dict "existingSecret" .existingSecret "key" .previousKey }}
{{- include "parley.secretEnv" (dict "root" $.root "variable" "SECRETS_KEY_PREVIOUS" "section" $section "value" .previous "key" "secrets-key-previous") }}
{{- end }}
{{- end }}
{{- with $provider.kind }}
- name: PROVIDER_KIND
  value: {{ . }}
{{- end }}
{{- if .root.Values.simulator.enabled }}
- name: PROVIDER_BASE_URL
  value: http://{{ include "parley.fullname" .root }}-provider-simulator/v1
{{- else if $provider.baseUrl }}
- name: PROVIDER_BASE_URL
  value: {{ $provider.baseUrl | quote }}
{{- end }}
{{- $key := include "parley.secretEnv" (dict "root" .root "variable" "PROVIDER_API_KEY" "section" $provider "value" $provider.apiKey "key" "provider-api-key") }}
{{- if $key }}
{{- $key }}
{{- else if .root.Values.simulator.enabled }}
- name: PROVIDER_API_KEY
  value: simulator
{{- end }}
{{- end -}}

{{/* The file storage. With a bucket and kind postgres, new files go to PostgreSQL, and old ones are still found. */}}
{{- define "parley.filesEnv" -}}
{{- $files := .root.Values.fileStorage }}
- name: FILE_STORAGE
  value: {{ $files.kind }}
{{- with $files.bucket }}
- name: S3_BUCKET
  value: {{ . | quote }}
- name: S3_REGION
  value: {{ $files.region | quote }}
- name: S3_FORCE_PATH_STYLE
  value: {{ $files.forcePathStyle | quote }}
{{- with $files.endpoint }}
- name: S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- $section := dict "existingSecret" $files.existingSecret "key" $files.accessKeyIdKey }}
{{- include "parley.secretEnv" (dict "root" $.root "variable" "S3_ACCESS_KEY_ID" "section" $section "value" $files.accessKeyId "key" "s3-access-key-id") }}
{{- $section = dict "existingSecret" $files.existingSecret "key" $files.secretAccessKeyKey }}
{{- include "parley.secretEnv" (dict "root" $.root "variable" "S3_SECRET_ACCESS_KEY" "section" $section "value" $files.secretAccessKey "key" "s3-secret-access-key") }}
{{- end }}
{{- end -}}
