import { z } from 'zod';
import { list, origin, type ValuesOf } from '../../shared/variables.js';

const headers = list.transform((parts, ctx) =>
  Object.fromEntries(
    parts.map((part) => {
      const [, name = '', value = ''] = /^([\w-]+)\s*=\s*(.*)$/.exec(part) ?? [];
      try {
        if (name !== '') return [name, decodeURIComponent(value)];
      } catch {
        // Refused below.
      }
      ctx.addIssue({ code: 'custom', message: 'must be NAME=VALUE, percent-encoded, with commas between' });
      return ['', ''];
    }),
  ),
);

/** The variables of tracing, named as in every program that OpenTelemetry traces. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: origin.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('holdall'),
};

/** Where spans are sent. */
export interface TracingOptions {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
}

/** Reads the options; null for no tracing. */
export const tracingOptions = (
  values: ValuesOf<typeof tracingVariables>,
): { readonly tracing: TracingOptions | null } => ({
  tracing:
    values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? null
      : {
          endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          service: values.OTEL_SERVICE_NAME,
        },
});
