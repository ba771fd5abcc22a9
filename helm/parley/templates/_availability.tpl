{{- define "parley.fewestPods" -}}
{{- if dig "autoscaling" "enabled" false .values }}{{ .values.autoscaling.minReplicas }}{{ else }}{{ .values.replicas }}{{ end -}}
{{- end -}}

{{/*
The replicas of a Deployment; absent if the autoscaler sets them. A Deployment that has set a number
keeps its current one: Kubernetes resets a removed number to 1, so that enabling autoscaling would
remove all pods but one. A number that belongs to the autoscaler stays when it is no longer applied,
and applying it would be a conflict once the autoscaler has changed it.
*/}}
{{- define "parley.replicas" -}}
{{- if not (dig "autoscaling" "enabled" false .values) -}}
{{- .values.replicas -}}
{{- else -}}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace (include "parley.appName" .) -}}
{{- $isNamed := dig "metadata" "annotations" "parley/replicas" "" $live -}}
{{- if and $isNamed (not (include "parley.keepsReplicas" $live)) }}{{ $live.spec.replicas }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Whether a Deployment keeps its replicas if they are not applied: applied by the server, and set by somebody else, too. */}}
{{- define "parley.keepsReplicas" -}}
{{- $isApplied := false -}}
{{- $isSet := false -}}
{{- range dig "metadata" "managedFields" list . -}}
{{- if eq .operation "Apply" -}}
{{- $isApplied = or $isApplied (kindIs "map" (dig "fieldsV1" "f:metadata" "f:annotations" "f:parley/replicas" "" .)) -}}
{{- else -}}
{{- $isSet = or $isSet (kindIs "map" (dig "fieldsV1" "f:spec" "f:replicas" "" .)) -}}
{{- end -}}
{{- end -}}
{{- if and $isApplied $isSet }}true{{ end -}}
{{- end -}}

{{/* A budget that always lets a node drain evict one pod. */}}
{{- define "parley.pdb" -}}
{{- $pdb := .values.pdb -}}
{{- $minimum := kindIs "invalid" $pdb.minAvailable | ternary "" (toString $pdb.minAvailable) -}}
{{- $maximum := kindIs "invalid" $pdb.maxUnavailable | ternary "" (toString $pdb.maxUnavailable) -}}
{{- $fewest := include "parley.fewestPods" . | int -}}
{{- if eq (empty $minimum) (empty $maximum) -}}
{{- fail (printf "%s: set one of pdb.maxUnavailable and pdb.minAvailable, and the other to null" .name) -}}
{{- end -}}
{{- if has $maximum (list "0" "0%") -}}
{{- fail (printf "%s: pdb.maxUnavailable %s would block every drain of a node" .name $maximum) -}}
{{- end -}}
{{- $kept := int $minimum -}}
{{- if hasSuffix "%" $minimum -}}
{{- /* Kubernetes rounds up. */ -}}
{{- $kept = divf (mulf (trimSuffix "%" $minimum) $fewest) 100 | ceil | int -}}
{{- end -}}
{{- if and $minimum (ge $kept $fewest) -}}
{{- fail (printf "%s: pdb.minAvailable %s with %d pods would block every drain of a node" .name $minimum $fewest) -}}
{{- end -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "parley.appName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "parley.labels" . | nindent 4 }}
spec:
  {{- if $minimum }}
  minAvailable: {{ $pdb.minAvailable }}
  {{- else }}
  maxUnavailable: {{ $pdb.maxUnavailable }}
  {{- end }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "parley.selectorLabels" . | nindent 6 }}
{{- end -}}

{{- define "parley.checkReplicas" -}}
{{- with .values.autoscaling -}}
{{- if gt (int .minReplicas) (int .maxReplicas) -}}
{{- fail (printf "%s: autoscaling.minReplicas %d is more than autoscaling.maxReplicas %d" $.name (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Scales up immediately, and down slowly, one pod at a time: a pod that stops ends its sessions. */}}
{{- define "parley.scalingBehavior" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  selectPolicy: Max
  policies:
    - type: Percent
      value: 100
      periodSeconds: 30
    - type: Pods
      value: 4
      periodSeconds: 30
scaleDown:
  stabilizationWindowSeconds: 1800
  policies:
    - type: Pods
      value: 1
      periodSeconds: 120
{{- end -}}

{{/* In addition to the app's dict, it takes metrics, to list before the CPU, as YAML. */}}
{{- define "parley.hpa" -}}
{{- include "parley.checkReplicas" . -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "parley.appName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "parley.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "parley.appName" . }}
  minReplicas: {{ .values.autoscaling.minReplicas }}
  maxReplicas: {{ .values.autoscaling.maxReplicas }}
  metrics:
    {{- with .metrics }}
    {{- . | nindent 4 }}
    {{- end }}
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .values.autoscaling.cpuUtilization }}
  behavior:
    {{- include "parley.scalingBehavior" . | nindent 4 }}
{{- end -}}
