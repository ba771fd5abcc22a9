{{/* The shared pod values, overridden by the app's own, as JSON. */}}
{{- define "parley.podValues" -}}
{{- mergeOverwrite (deepCopy .root.Values.pod) (default dict .values.pod) | toJson -}}
{{- end -}}

{{/*
Metadata of a pod: a change of its configuration replaces it. An app that reads no secret and few
settings names these in reads, so that it is not replaced for the others.
*/}}
{{- define "parley.podMetadata" -}}
{{- $pod := include "parley.podValues" . | fromJson -}}
{{- $read := dict -}}
{{- range .reads }}{{ $_ := set $read . (get $.root.Values.settings .) }}{{ end -}}
labels:
  {{- include "parley.selectorLabels" . | nindent 2 }}
  {{- with $pod.labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  {{- if .reads }}
  checksum/settings: {{ toJson $read | sha256sum }}
  {{- else }}
  checksum/settings: {{ include "parley.settings" .root | sha256sum }}
  checksum/secret: {{ include "parley.keptSecrets" .root | sha256sum }}
  {{- end }}
  {{- with $pod.annotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* A pod's identity, and where it runs. */}}
{{- define "parley.podSettings" -}}
{{- $pod := include "parley.podValues" . | fromJson -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with $pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "parley.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Spreads the pods of one app. */}}
{{- define "parley.spread" -}}
{{- $pod := include "parley.podValues" . | fromJson -}}
{{- if $pod.affinity }}
affinity:
  {{- toYaml $pod.affinity | nindent 2 }}
{{- else if ne $pod.antiAffinity "none" }}
affinity:
  podAntiAffinity:
    {{- if eq $pod.antiAffinity "hard" }}
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "parley.selectorLabels" . | nindent 12 }}
    {{- else }}
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "parley.selectorLabels" . | nindent 14 }}
    {{- end }}
{{- end }}
{{- if ne $pod.topologySpread "none" }}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: {{ $pod.topologySpread }}
    labelSelector:
      matchLabels:
        {{- include "parley.selectorLabels" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
{{- end -}}

{{- define "parley.mebibytes" -}}
{{- mul (regexFind "^[0-9]+" . | int) (hasSuffix "Gi" . | ternary 1024 1) -}}
{{- end -}}

{{/*
The environment of every container. The heap gets three quarters of the memory limit, less the MiB
that other processes of the app need (besideHeap).
*/}}
{{- define "parley.commonEnv" -}}
{{- with dig "limits" "memory" "" .values.resources }}
- name: NODE_OPTIONS
  value: --max-old-space-size={{ div (mul (sub (include "parley.mebibytes" . | int) (default 0 $.besideHeap)) 3) 4 }}
{{- end }}
{{- if or .root.Values.caBundle.existingSecret .root.Values.caBundle.existingConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/parley/ca/{{ .root.Values.caBundle.key }}
{{- end }}
{{- end -}}

{{- define "parley.extraEnv" -}}
{{- with (include "parley.podValues" . | fromJson).extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "parley.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if or .root.Values.caBundle.existingSecret .root.Values.caBundle.existingConfigMap }}
- name: ca
  mountPath: /etc/parley/ca
  readOnly: true
{{- end }}
{{- with (include "parley.podValues" . | fromJson).extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "parley.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- with .root.Values.caBundle.existingSecret }}
- name: ca
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .root.Values.caBundle.existingConfigMap }}
- name: ca
  configMap:
    name: {{ . }}
{{- end }}
{{- with (include "parley.podValues" . | fromJson).extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
