import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { writeProject } from '../../helpers/open-project.ts'
import { runService } from '../../helpers/service.ts'
import { requireService } from '../../helpers/services.ts'
import { startReceiver } from './receiver.ts'

t.setTimeout(300_000)

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`
const QUERY = 'query Find { relations(where: { name: { _eq: "pg_attrdef" } }) { name } }'

/** An SDK that whoever runs the service brings along. */
const OWN_SDK = `
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
const require = createRequire(${JSON.stringify(import.meta.url)})
const { trace } = require('@opentelemetry/api')
const { BasicTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base')
const exporter = {
  export(spans, done) {
    for (const span of spans) appendFileSync(process.env.SPANS, span.name + '\\n')
    done({ code: 0 })
  },
  shutdown: async () => {},
}
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
`

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t)
  const toml = (more: string) =>
    `[project]\nname = "library"\nversion = "4.5.6"\n[database]\nurl = "${url}"\nslow_statement_ms = 1\n[server]\naccess_log = true\n` +
    `[security]\ndefault_policy = "public"\n[tracing]\nenabled = true\n${more}[plugins]\npreset = "full"\n`
  const ask = (base: string, query: string) =>
    fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ query }),
    })

  t.test(
    'the service as it is run: spans go out by the standard variables, lines of the log say which trace',
    async (t) => {
      const receiver = await startReceiver(t)
      const folder = t.testdir()
      writeProject(folder, toml(''))
      const service = await runService(t, folder, {
        env: {
          SVC_LOG_FORMAT: 'json',
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ops',
          OTEL_SERVICE_NAME: 'shop-api',
        },
      })
      t.equal((await ask(service.url, QUERY)).status, 200)
      t.equal((await fetch(`${service.url}/health`)).status, 200)
      t.equal(await service.stop(), 0)
      t.ok(receiver.requests.length > 0, 'what waited was delivered at the end')
      t.match(receiver.requests[0], {
        path: '/v1/traces',
        headers: { 'content-type': 'application/x-protobuf', 'x-tenant': 'ops' },
      })
      t.match(receiver.bodies.join(''), /shop-api[\s\S]*4\.5\.6[\s\S]*POST \/graphql/)
      t.notMatch(receiver.bodies.join(''), /GET \/health/)

      const lines = service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      const [answered] = lines.filter(({ message }) => message === 'POST /graphql 200')
      t.match(answered, { operation: 'Find', trace_id: TRACE, span_id: /^[0-9a-f]{16}$/ })
      const slow = lines.filter(({ message }) => /^a statement took/.test(String(message)))
      t.match(slow[0], {
        level: 'warn',
        operation: 'Find',
        roots: ['relations'],
        request_id: answered?.request_id,
        trace_id: TRACE,
        duration_ms: Number,
        statement: /^SELECT/,
      })
      t.notMatch(JSON.stringify(slow), /pg_attrdef/, 'no value')
      const [probe] = lines.filter(({ message }) => message === 'GET /health 200')
      t.notOk(probe?.trace_id, 'what is not traced has no trace')
    },
  )

  t.test('an SDK that was there before is used, and stays', async (t) => {
    const folder = t.testdir({ 'sdk.mjs': OWN_SDK, spans: '' })
    writeProject(folder, toml(''))
    const spans = join(folder, 'spans')
    const service = await runService(t, folder, {
      env: { NODE_OPTIONS: `--import=${join(folder, 'sdk.mjs')}`, SPANS: spans, SVC_LOG_FORMAT: 'json' },
    })
    t.equal((await ask(service.url, QUERY)).status, 200)
    t.equal(await service.stop(), 0)
    t.match(readFileSync(spans, 'utf8'), /^parse\n[\s\S]*POST \/graphql\n/)
  })

  t.test('a variable with a slip ends the start, and says so', async (t) => {
    const folder = t.testdir()
    writeProject(folder, toml(''))
    await t.rejects(runService(t, folder, { env: { OTEL_TRACES_EXPORTER: 'jaeger' } }), {
      message: /OTEL_TRACES_EXPORTER names "jaeger".*Known here: otlp, console, none/,
    })
  })
}
