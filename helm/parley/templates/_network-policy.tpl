{{- define "parley.networkPolicyHead" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "parley.appName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "parley.labels" . | nindent 4 }}
{{- end -}}

{{/* Users, and the pod of helm test, reach the public port. */}}
{{- define "parley.publicIngress" -}}
- ports:
    - port: 8080
  {{- with .root.Values.networkPolicy.ingressFrom }}
  from:
    {{- toYaml . | nindent 4 }}
    - podSelector:
        matchLabels:
          {{- include "parley.selectorLabels" (dict "root" $.root "name" "session-test") | nindent 10 }}
  {{- end }}
{{- end -}}

{{- define "parley.metricsIngress" -}}
- ports:
    - port: 9090
  from:
    {{- if .root.Values.networkPolicy.metricsFrom }}
    {{- toYaml .root.Values.networkPolicy.metricsFrom | nindent 4 }}
    {{- else }}
    - namespaceSelector: {}
    {{- end }}
{{- end -}}

{{/* Gateways pass clients on to each other, when they resume sessions. Takes also the direction: from or to. */}}
{{- define "parley.peers" -}}
- ports:
    - port: 9090
  {{ .direction }}:
    - podSelector:
        matchLabels:
          {{- include "parley.selectorLabels" .app | nindent 10 }}
{{- end -}}

{{/* DNS servers may run in the cluster, on the node or outside: only the port is common. */}}
{{- define "parley.dnsEgress" -}}
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
{{- end -}}

{{/* Takes a dict of root and store. */}}
{{- define "parley.storeEgress" -}}
{{- $store := get .root.Values.networkPolicy .store -}}
- ports:
    {{- range $store.ports }}
    - port: {{ . }}
    {{- end }}
  {{- with $store.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Apps that handle files reach their storage; one at a public address needs no rule. */}}
{{- define "parley.filesEgress" -}}
{{- if and .root.Values.fileStorage.bucket .root.Values.networkPolicy.fileStorage.to }}
{{- include "parley.storeEgress" (dict "root" .root "store" "fileStorage") }}
{{- end }}
{{- end -}}

{{/* The range of an entry of TOOL_EGRESS_ALLOW: an address or range, with a port or without. A name has none. */}}
{{- define "parley.toolRange" -}}
{{- $v4 := "[0-9]{1,3}(?:\\.[0-9]{1,3}){3}" -}}
{{- $v6 := "[0-9a-fA-F.]*:[0-9a-fA-F.]*:[0-9a-fA-F:.]*" -}}
{{- $forms := printf "^(%s)(?::[0-9]+)?$|^\\[(%s)\\](?::[0-9]+)?$|^(%s)$|^((?:%s|%s)/[0-9]+)$" $v4 $v6 $v6 $v4 $v6 -}}
{{- if regexMatch $forms . -}}
{{- $range := regexReplaceAll $forms . "${1}${2}${3}${4}" -}}
{{- contains "/" $range | ternary $range (printf "%s/%s" $range (contains ":" $range | ternary "128" "32")) -}}
{{- end -}}
{{- end -}}

{{- define "parley.toolEgress" -}}
{{- range $entry := get .root.Values.settings "TOOL_EGRESS_ALLOW" | default list }}
{{- with include "parley.toolRange" $entry }}
- to:
    - ipBlock:
        cidr: {{ . | quote }}
  {{- with regexFind "^([^:]+|\\[.*\\]):[0-9]+$" $entry }}
  ports:
    - port: {{ regexFind "[0-9]+$" . }}
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Providers and tools: public addresses only, as a second barrier behind the apps' own check of every address. */}}
{{- define "parley.agentEgress" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- if $policy.publicEgress.enabled }}
- ports:
    {{- range $policy.publicEgress.ports }}
    - port: {{ . }}
    {{- end }}
  to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          {{- toYaml $policy.publicEgress.except | nindent 10 }}
    - ipBlock:
        cidr: 2000::/3
        except:
          {{- toYaml $policy.publicEgress.exceptIPv6 | nindent 10 }}
{{- end }}
{{- if .root.Values.simulator.enabled }}
- ports:
    - port: 8080
  to:
    - podSelector:
        matchLabels:
          {{- include "parley.selectorLabels" (dict "root" .root "name" "provider-simulator") | nindent 10 }}
{{- end }}
{{- include "parley.toolEgress" . }}
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/*
The policy of an app that serves agents; keepsFiles says whether it also reads and writes files,
hasPeers whether its pods reach each other.
*/}}
{{- define "parley.networkPolicy" -}}
{{ include "parley.networkPolicyHead" . }}
spec:
  podSelector:
    matchLabels:
      {{- include "parley.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if .public }}
    {{- include "parley.publicIngress" . | nindent 4 }}
    {{- end }}
    {{- include "parley.metricsIngress" . | nindent 4 }}
    {{- if .hasPeers }}
    {{- include "parley.peers" (dict "app" . "direction" "from") | nindent 4 }}
    {{- end }}
  egress:
    {{- include "parley.dnsEgress" . | nindent 4 }}
    {{- include "parley.storeEgress" (dict "root" .root "store" "database") | nindent 4 }}
    {{- include "parley.storeEgress" (dict "root" .root "store" "redis") | nindent 4 }}
    {{- if .hasPeers }}
    {{- include "parley.peers" (dict "app" . "direction" "to") | nindent 4 }}
    {{- end }}
    {{- if .keepsFiles }}
    {{- with include "parley.filesEgress" . | trim }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- end }}
    {{- with include "parley.agentEgress" . | trim }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end -}}
