import type { OptionalPackages } from '../../core/doors/plugin.ts'

/** The SDK of OpenTelemetry, which svc does not install. The plugin does not need it where the operator has registered an SDK. */
export const SDK_PACKAGES: OptionalPackages = {
  names: [
    'sdk-trace-base',
    'resources',
    'context-async-hooks',
    'core',
    'exporter-trace-otlp-http',
    'exporter-trace-otlp-proto',
  ].map((name) => `@opentelemetry/${name}`),
  for: 'spans',
  instead:
    'start with an OpenTelemetry SDK of your own (node --import ./tracing.mjs), or set enabled = false in [tracing]',
}
