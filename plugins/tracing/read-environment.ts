import { didYouMean, listNames, SvcError } from '../../core/doors/plugin.ts'

type Env = Readonly<Record<string, string | undefined>>

const EXPORTERS = ['otlp', 'console', 'none'] as const
const PROTOCOLS = ['http/protobuf', 'http/json'] as const
const PROPAGATORS = ['tracecontext', 'baggage', 'none'] as const
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Settings from `OTEL_…` variables that the OpenTelemetry SDK does not read, or reads without validation. */
export interface TracingEnvironment {
  /** `true` disables tracing (`OTEL_SDK_DISABLED`). */
  readonly disabled: boolean
  readonly exporters: readonly (typeof EXPORTERS)[number][]
  readonly protocol: (typeof PROTOCOLS)[number]
  readonly propagators: readonly (typeof PROPAGATORS)[number][]
}

/**
 * Reads and validates the `OTEL_…` variables. An invalid value, which the OpenTelemetry SDK would replace by its
 * default, is an error.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function readEnvironment(env: Env): TracingEnvironment {
  const disabled = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true'
  pick('OTEL_TRACES_SAMPLER', env, SAMPLERS, 'parentbased_always_on')
  const ratio = env.OTEL_TRACES_SAMPLER_ARG?.trim() ?? ''
  if (ratio !== '' && !(Number(ratio) >= 0 && Number(ratio) <= 1)) {
    throw invalid(`OTEL_TRACES_SAMPLER_ARG wants a number from 0 to 1, got "${ratio}".`)
  }
  const own = 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  const protocolName = isSet(env[own]) ? own : 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const [protocol] = pick(protocolName, env, PROTOCOLS, 'http/protobuf')
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) checkUrl(name, env[name])
  return {
    disabled,
    exporters: pick('OTEL_TRACES_EXPORTER', env, EXPORTERS, 'otlp'),
    protocol: protocol!,
    propagators: pick('OTEL_PROPAGATORS', env, PROPAGATORS, 'tracecontext,baggage'),
  }
}

/** Reads a variable with a comma-separated list. */
function pick<T extends string>(name: string, env: Env, known: readonly T[], byDefault: string): readonly T[] {
  const text = isSet(env[name]) ? env[name]! : byDefault
  return text.split(',').map((part) => {
    const value = part.trim().toLowerCase()
    const found = known.find((one) => one === value)
    if (found !== undefined) return found
    throw invalid(`${name} names "${part.trim()}".${didYouMean(value, known)} Known here: ${listNames(known)}.`)
  })
}

function checkUrl(name: string, value: string | undefined): void {
  if (!isSet(value)) return
  const url = URL.canParse(value!) ? new URL(value!) : null
  // The message does not contain the URL, which can contain a password.
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid(`${name} wants a URL that begins with http:// or https://.`)
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== ''
}

function invalid(message: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `tracing: ${message}`)
}
