{{/* The public Service of an app. In addition to the app's dict, it takes appProtocol. */}}
{{- define "parley.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "parley.appName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "parley.labels" . | nindent 4 }}
  {{- with .values.service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .values.service.type }}
  selector:
    {{- include "parley.selectorLabels" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .values.service.port }}
      targetPort: http
      appProtocol: {{ .appProtocol }}
{{- end -}}

{{/* Where Prometheus finds the pods, including draining ones. It balances no load and is never public. */}}
{{- define "parley.metricsService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "parley.appName" . }}-metrics
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "parley.labels" (dict "root" .root "name" (printf "%s-metrics" .name)) | nindent 4 }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "parley.selectorLabels" . | nindent 4 }}
  ports:
    - name: internal
      port: 9090
      targetPort: internal
{{- end -}}
