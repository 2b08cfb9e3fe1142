import { defineDoctorCheck, examineServer, failed, ok } from '../../core/doors/command.ts'
import { readEnvironment, type TracingEnvironment } from './read-environment.ts'

const NAME = 'tracing'
/** Default endpoint of OTLP. */
const DEFAULT_ENDPOINT = 'http://localhost:4318'

/** Check of `svc doctor`: the `OTEL_…` variables are valid, and the trace collector accepts connections. */
export default defineDoctorCheck(async ({ env }) => {
  let environment: TracingEnvironment
  try {
    environment = readEnvironment(env)
  } catch (error) {
    return [failed(NAME, error)]
  }
  if (environment.disabled) return [ok(NAME, 'OTEL_SDK_DISABLED is set: nothing is traced')]
  if (!environment.exporters.includes('otlp')) return [ok(NAME, `spans go to: ${environment.exporters.join(', ')}`)]
  const given = [env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, env.OTEL_EXPORTER_OTLP_ENDPOINT, DEFAULT_ENDPOINT]
  const url = new URL(given.find((one) => one !== undefined && one.trim() !== '')!)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const found = await examineServer(NAME, 'the receiver of spans (OTEL_EXPORTER_OTLP_ENDPOINT)', url.hostname, port)
  // The service runs without a collector.
  return [found.state === 'failed' ? { ...found, state: 'warning' } : found]
})
