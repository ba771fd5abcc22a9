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

{{/* Name servers run in the cluster, on the node or beside it: the port is what they share. */}}
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

{{/* Providers and tools: public addresses only, the second wall behind the apps' own check of every address. */}}
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
        cidr: ::/0
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
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The policy of an app that serves agents. */}}
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
  egress:
    {{- include "parley.dnsEgress" . | nindent 4 }}
    {{- include "parley.storeEgress" (dict "root" .root "store" "database") | nindent 4 }}
    {{- include "parley.storeEgress" (dict "root" .root "store" "redis") | nindent 4 }}
    {{- with include "parley.agentEgress" . | trim }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end -}}
