import t from 'tap'
import metrics from '../../../plugins/metrics/index.ts'
import tracing from '../../../plugins/tracing/index.ts'
import { createPostgresDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import { ACCOUNTS_SQL, accounts, openAccounts } from '../observers/accounts.ts'
import { openSink } from '../observers/sink.ts'
import { startReceiver } from './receiver.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CREATE = 'mutation { createAccount(name: "ann") { id } }'

if (await requireService(t, 'postgres')) {
  const receiver = await startReceiver(t)
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json'
  process.env.OTEL_BSP_SCHEDULE_DELAY = '20'

  for (const backend of ['in-memory', 'sqldb']) {
    t.test(`${backend}: a webhook is sent in the trace of the mutation, whenever that is`, async (t) => {
      receiver.clear()
      const sink = await openSink(t)
      const database: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: ACCOUNTS_SQL }) }
      const url = `${sink.url}/hook?token=hidden`
      const schema = accounts([
        {
          name: 'on_insert',
          event: 'INSERT',
          actions: [{ type: 'webhook', url }],
          retry: { max_attempts: 2, initial_delay_ms: 20 },
        },
      ] as never)
      sink.answer('/hook?token=hidden', 500)
      const app = await openAccounts(
        t,
        database,
        schema,
        { backend, allow_hosts: ['127.0.0.1'] },
        { plugins: [entry(tracing, { enabled: true }), entry(metrics)] },
      )
      const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'a=1', baggage: 'user=ann' }
      const answer = await app.graphql(CREATE, {}, headers)
      t.equal(answer.errors, undefined)
      const sent = await sink.wait('/hook?token=hidden', 2)
      await app.graphql(CREATE, {}, { traceparent: `00-${'1'.repeat(32)}-b7ad6b7169203331-00` })
      const [, , unsampled] = await sink.wait('/hook?token=hidden', 3)
      await receiver.until(() => receiver.spans.filter(({ name }) => name === 'POST').length >= 2)
      await app.close()

      const calls = receiver.spans.filter(({ name }) => name === 'POST')
      t.equal(calls.length, 2, 'each attempt has its span; what is not sampled has none')
      for (const [at, call] of calls.entries()) {
        t.match(call, { traceId: TRACE, kind: 3, attributes: { 'server.address': '127.0.0.1' } })
        const parent = receiver.spans.find(({ spanId }) => spanId === call.parentSpanId)
        t.ok(parent, 'below what committed it')
        t.equal(sent[at]?.headers.traceparent, `00-${TRACE}-${call.spanId}-01`)
        t.notOk(sent[at]?.headers.baggage, 'which is for nobody outside')
      }
      t.match(calls[0], { status: { code: 2 }, attributes: { 'error.type': '500' } })
      t.match(unsampled?.headers.traceparent, /^00-1{32}-[0-9a-f]{16}-00$/, 'and its target knows')
      t.notMatch(receiver.bodies.join(), /hidden/)
    })
  }
}
