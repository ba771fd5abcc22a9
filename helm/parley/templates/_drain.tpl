{{/*
How long a pod takes to say goodbye, as JSON: preStop, lag, timeout and grace in seconds. The kubelet's grace period
includes preStop; the rest is the sum in packages/service-kit/src/drain-budget.ts, which a test compares with this: after the
drain a process has 15 seconds for its tools, its journal, its servers and its stores.
*/}}
{{- define "parley.drain" -}}
{{- $drain := .values.drain -}}
{{- $preStop := int (default 0 $drain.preStopSeconds) -}}
{{- $lag := int (default 0 $drain.lagSeconds) -}}
{{- $timeout := int $drain.timeoutSeconds -}}
{{- if not (semverCompare ">=1.30-0" .root.Capabilities.KubeVersion.Version) -}}
{{- /* No sleep action, and the images have no shell: the process itself goes on accepting for as long. */ -}}
{{- $lag = add $lag $preStop -}}
{{- $preStop = 0 -}}
{{- end -}}
{{- $needed := add $preStop $lag $timeout 15 -}}
{{- $grace := $needed -}}
{{- if not (kindIs "invalid" $drain.graceSeconds) -}}
{{- $grace = int $drain.graceSeconds -}}
{{- if lt (int64 $grace) (int64 $needed) -}}
{{- fail (printf "%s: drain.graceSeconds %d is less than preStop %d + lag %d + timeout %d + 15 = %d: sessions would be cut off" .name $grace $preStop $lag $timeout $needed) -}}
{{- end -}}
{{- end -}}
{{- dict "preStop" $preStop "lag" $lag "timeout" $timeout "grace" $grace | toJson -}}
{{- end -}}

{{/*
How many seconds a load balancer that no longer sends requests to a pod must leave the open ones to it: from the moment that
its endpoint is removed until the last sessions and requests have been ended, with 5 seconds for their closing handshakes.
*/}}
{{- define "parley.longestDrain" -}}
{{- $longest := 0 -}}
{{- range $name, $values := dict "api" .Values.api "realtime-gateway" .Values.realtimeGateway -}}
{{- $drain := include "parley.drain" (dict "root" $ "name" $name "values" $values) | fromJson -}}
{{- $longest = max $longest (add $drain.preStop $drain.lag $drain.timeout 5) -}}
{{- end -}}
{{- $longest -}}
{{- end -}}
