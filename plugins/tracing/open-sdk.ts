import {
  type ContextManager,
  context,
  ProxyTracerProvider,
  propagation,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { importPackages } from '../../core/doors/plugin.ts'
import { SDK_PACKAGES } from './packages.ts'
import type { TracingEnvironment } from './read-environment.ts'
import { type ExportReport, watchExporter } from './watched-exporter.ts'

export interface ServiceIdentity {
  readonly name: string
  readonly version: string
  /** Number of this worker process; `null`: the only process. */
  readonly worker: number | null
}

/** The OpenTelemetry SDK that exports the spans. */
export interface OpenSdk {
  /** `true` if the operator has registered the SDK, so that svc must not configure it. */
  readonly isForeign: boolean
  /** Exports the remaining spans and shuts the SDK down. */
  close(): Promise<void>
}

/**
 * Returns the OpenTelemetry SDK: the one that the operator has registered (`node --import …`), otherwise a new one.
 * @param service name and version for the exported spans
 * @param report receives failures of exports
 */
export async function openSdk(
  environment: TracingEnvironment,
  service: ServiceIdentity,
  report: ExportReport,
): Promise<OpenSdk> {
  if (isRegistered()) return { isForeign: true, close: async () => {} }
  const parts = await loadParts(environment)
  const exporters = environment.exporters
    .filter((name) => name !== 'none')
    .map((name) => (name === 'console' ? new parts.sdk.ConsoleSpanExporter() : parts.createOtlp()))
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = parts.resources
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': service.name,
        'service.version': service.version,
        ...(service.worker === null ? {} : { 'service.instance.id': String(service.worker) }),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new parts.sdk.BasicTracerProvider({
    resource,
    spanProcessors: exporters.map((exporter) => new parts.sdk.BatchSpanProcessor(watchExporter(exporter, report))),
  })
  register(provider, new parts.hooks.AsyncLocalStorageContextManager(), parts.createPropagator())
  return {
    isForeign: false,
    async close() {
      // First stops new spans, then delivers the remaining ones.
      trace.disable()
      propagation.disable()
      await provider.shutdown()
      context.disable()
    },
  }
}

function isRegistered(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('svc') !== undefined
}

function register(
  provider: Parameters<typeof trace.setGlobalTracerProvider>[0],
  manager: ContextManager,
  propagator: TextMapPropagator,
): void {
  context.setGlobalContextManager(manager.enable())
  propagation.setGlobalPropagator(propagator)
  trace.setGlobalTracerProvider(provider)
}

async function loadParts({ protocol, propagators }: TracingEnvironment) {
  const [sdk, resources, hooks, core, otlp] = await importPackages('tracing', SDK_PACKAGES, () =>
    Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      protocol === 'http/json'
        ? import('@opentelemetry/exporter-trace-otlp-http')
        : import('@opentelemetry/exporter-trace-otlp-proto'),
    ]),
  )
  return {
    sdk,
    resources,
    hooks,
    createOtlp: (): SpanExporter => new otlp.OTLPTraceExporter(),
    createPropagator: (): TextMapPropagator =>
      new core.CompositePropagator({
        propagators: propagators.flatMap((name) =>
          name === 'tracecontext'
            ? [new core.W3CTraceContextPropagator()]
            : name === 'baggage'
              ? [new core.W3CBaggagePropagator()]
              : [],
        ),
      }),
  }
}
