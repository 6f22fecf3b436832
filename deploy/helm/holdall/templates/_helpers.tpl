{{- define "holdall.name" -}}
{{- if contains "holdall" .Release.Name -}}{{ .Release.Name }}{{- else -}}{{ .Release.Name }}-holdall{{- end -}}
{{- end -}}

{{- define "holdall.selector" -}}
app.kubernetes.io/name: holdall
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "holdall.labels" -}}
{{ include "holdall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "holdall.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "holdall.hasPostgres" -}}
{{- if or .Values.postgres.url .Values.postgres.external -}}true{{- end -}}
{{- end -}}

{{- define "holdall.several" -}}
{{- if or .Values.autoscaling.enabled (gt (int .Values.replicaCount) 1) -}}true{{- end -}}
{{- end -}}

{{- define "holdall.check" -}}
{{- if not .Values.baseUrl -}}
{{- fail "baseUrl is required: the public address, like https://files.example.org" -}}
{{- end -}}
{{- if include "holdall.several" . -}}
{{- if not (and (include "holdall.hasPostgres" .) .Values.s3.endpoint) -}}
{{- fail "several processes need PostgreSQL (postgres.url or postgres.external) and an object store (s3.endpoint)" -}}
{{- end -}}
{{- if not (or .Values.secretKey .Values.envFromSecrets) -}}
{{- fail "several processes need the same key: set secretKey, or SECRET_KEY in a secret of envFromSecrets" -}}
{{- end -}}
{{- end -}}
{{- end -}}
