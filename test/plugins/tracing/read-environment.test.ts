import t from 'tap'
import { readEnvironment } from '../../../plugins/tracing/read-environment.ts'

t.test('the standard variables are read, with their defaults', async (t) => {
  t.strictSame(readEnvironment({}), {
    disabled: false,
    exporters: ['otlp'],
    protocol: 'http/protobuf',
    propagators: ['tracecontext', 'baggage'],
  })
  t.strictSame(
    readEnvironment({
      OTEL_SDK_DISABLED: 'True',
      OTEL_TRACES_EXPORTER: ' console, OTLP',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_PROPAGATORS: 'none',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    }),
    { disabled: true, exporters: ['console', 'otlp'], protocol: 'http/json', propagators: ['none'] },
  )
  t.match(readEnvironment({ OTEL_TRACES_EXPORTER: '', OTEL_SDK_DISABLED: '' }), {
    exporters: ['otlp'],
    disabled: false,
  })
})

t.test('unknown values are rejected with the known ones', async (t) => {
  const cases = [
    ['OTEL_TRACES_EXPORTER', 'zipkin', /OTEL_TRACES_EXPORTER names "zipkin"\..*otlp, console, none/],
    ['OTEL_TRACES_EXPORTER', 'otpl', /Did you mean "otlp"\?/],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /names "grpc".*http\/protobuf, http\/json/],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc', /^tracing: OTEL_EXPORTER_OTLP_TRACES_PROTOCOL/],
    ['OTEL_PROPAGATORS', 'tracecontext,b3', /names "b3"/],
    ['OTEL_TRACES_SAMPLER', 'alwayson', /Did you mean "always_on"/],
    ['OTEL_TRACES_SAMPLER_ARG', '5%', /a number from 0 to 1, got "5%"/],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /from 0 to 1/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /begins with http/],
  ] as const
  for (const [name, value, message] of cases) {
    t.throws(() => readEnvironment({ [name]: value }), { code: 'SVC_CONFIG_INVALID', message }, `${name}=${value}`)
  }
  const secret = 'ftp://user:hunter2@collector'
  t.throws(() => readEnvironment({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: secret }), { message: /^(?!.*hunter2)/ })
})
