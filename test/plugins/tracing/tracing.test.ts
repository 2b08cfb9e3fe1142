import t, { type Test } from 'tap'
import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import metrics from '../../../plugins/metrics/index.ts'
import tracing from '../../../plugins/tracing/index.ts'
import { createPostgresDatabase, createSqlite } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { type OpenAppOptions, openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { NOTES } from '../../schemas/notes.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { type ReceivedSpan, startReceiver } from './receiver.ts'

/** What the statement that reads it was sent as, and how many statements its connection has prepared. */
const SQL = `
CREATE TABLE tb_note (id int PRIMARY KEY, body text NOT NULL UNIQUE);
INSERT INTO tb_note VALUES (1, 'kept in the row');
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE VIEW v_sent AS SELECT 1 AS id, current_query() AS text,
  (SELECT count(*)::int FROM pg_prepared_statements) AS prepared;
CREATE FUNCTION fn_add_note(p_body text) RETURNS boolean LANGUAGE sql AS $$
  INSERT INTO tb_note VALUES (2, p_body) RETURNING true $$;
CREATE FUNCTION fn_break(p_body text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN RAISE division_by_zero USING MESSAGE = p_body; END $$;
`
const FILE = {
  sql: 'CREATE TABLE tb_leaf (id integer PRIMARY KEY); INSERT INTO tb_leaf VALUES (1); CREATE VIEW v_leaf AS SELECT * FROM tb_leaf;',
}
const body = { name: 'body', type: 'String!' }
const SCHEMA = extendSchema(
  NOTES.schema,
  tableSchema(
    { name: 'Sent', sql_source: 'v_sent', list: 'sent', fields: { id: 'ID!', text: 'String!', prepared: 'Int!' } },
    { mutations: [{ name: 'break_it', type: 'Boolean', sql_source: 'fn_break', arguments: [body] }] },
  ),
)
/** Routes of another plugin. */
const things = plugin('things', (scope) => {
  const path = '/things/:id'
  scope.route({ method: 'GET', path, handler: () => ({ status: 200, headers: {}, body: 'one' }) })
  scope.route({
    method: 'POST',
    path,
    handler() {
      throw new Error('hidden, too')
    },
  })
})
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SAMPLED = `00-${TRACE}-${CALLER}-01`
const UNSAMPLED = `00-${TRACE}-${CALLER}-00`

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const receiver = await startReceiver(t)
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json'
  process.env.OTEL_BSP_SCHEDULE_DELAY = '20'
  process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=ci'

  /** Closed when the test has run: the SDK belongs to the process, and the next one brings its own. */
  async function withApp(
    t: Test,
    options: object,
    work: (app: Awaited<ReturnType<typeof openApp>>) => Promise<void>,
    more: OpenAppOptions = {},
    plugins: readonly PluginInstance[] = [],
    schema = SCHEMA,
  ): Promise<void> {
    receiver.clear()
    const list = [entry(tracing, { enabled: true, ...options }), ...plugins]
    const app = await openApp(t, { kind: 'postgres', url }, schema, { ...more, plugins: list })
    try {
      await work(app)
    } finally {
      await app.close()
    }
  }
  const named = (name: string): ReceivedSpan => {
    const found = receiver.spans.find((span) => span.name === name)
    if (found === undefined) throw new Error(`no span "${name}" in: ${receiver.spans.map((span) => span.name)}`)
    return found
  }
  const names = () => receiver.spans.map(({ name }) => name).sort()
  const parentOf = ({ parentSpanId }: ReceivedSpan) =>
    receiver.spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId

  t.test('paths that are left out are left out in every form of the request target', async (t) => {
    await withApp(
      t,
      { skip_paths: ['/things/1'] },
      async (app) => {
        for (const url of ['/things/1', '/things/1?a=1', 'http://127.0.0.1/things/1', '/%74hings/%31', '/things/2']) {
          t.equal((await app.inject({ method: 'GET', url })).status, 200, url)
        }
        await receiver.until(() => receiver.spans.length >= 1)
      },
      {},
      [entry(things)],
    )
    t.strictSame(
      receiver.spans.map(({ attributes }) => attributes['url.path']),
      ['/things/2'],
    )
  })

  t.test('a request continues the trace of who calls; each part has its span, and no value is in any', async (t) => {
    await withApp(t, {}, async (app) => {
      const query = 'query Shelf { notes(where: { body: { _eq: "a literal of the client" } }) { id body } }'
      const headers = { traceparent: SAMPLED, tracestate: 'rojo=00f067aa0ba902b7', 'user-agent': 'probe/1' }
      const answer = await app.graphql(query, {}, headers)
      t.same(answer.data, { notes: [] })
      await receiver.until(() => receiver.spans.length >= 6)
    })
    t.strictSame(names(), ['POST /graphql', 'SELECT v_note', 'execute', 'parse', 'plan', 'query'])
    t.same(new Set(receiver.spans.map(({ traceId }) => traceId)), new Set([TRACE]))
    const request = named('POST /graphql')
    t.match(request, {
      parentSpanId: CALLER,
      kind: 2,
      traceState: 'rojo=00f067aa0ba902b7',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/graphql',
        'url.path': '/graphql',
        'http.response.status_code': 200,
        'user_agent.original': 'probe/1',
        'svc.request_id': String,
      },
      status: { code: 0 },
    })
    t.equal(parentOf(named('query')), 'POST /graphql')
    t.match(named('query').attributes, {
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'Shelf',
      'svc.roots': ['notes'],
    })
    t.equal(parentOf(named('execute')), 'query')
    t.equal(parentOf(named('plan')), 'execute')
    t.equal(parentOf(named('parse')), 'POST /graphql')
    const statement = named('SELECT v_note')
    t.equal(parentOf(statement), 'execute')
    t.match(statement, {
      kind: 3,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'db.collection.name': 'v_note',
        'db.query.text': /\$1/,
      },
    })
    t.ok(BigInt(statement.endTimeUnixNano) > BigInt(statement.startTimeUnixNano))
    t.match(receiver.resource, {
      'service.name': 'my-svc-app',
      'service.version': '1.0.0',
      'deployment.environment.name': /^ci$/,
      'telemetry.sdk.language': 'nodejs',
    })
    t.match(receiver.requests[0], { path: '/v1/traces', headers: { 'content-type': 'application/json' } })
    t.notMatch(receiver.bodies.join(), /literal of the client/)
  })

  t.test('failures have their code and their SQLSTATE, and none of their words', async (t) => {
    await withApp(t, { statement_text: false }, async (app) => {
      await app.graphql('mutation Add { addNote(body: "kept in the row") breakIt(body: "words of the function") }')
      await app.graphql('{ notes { nothing } }')
      await receiver.until(() => receiver.spans.filter(({ name }) => name === 'POST /graphql').length === 2)
    })
    const failed = receiver.spans.filter(({ attributes }) => attributes['db.response.status_code'] !== undefined)
    t.strictSame(failed.map(({ attributes }) => attributes['db.response.status_code']).sort(), ['22012', '23505'])
    t.ok(failed.every(({ status }) => status.code === 2 && !status.message))
    t.match(named('mutation'), { status: { code: 0 }, attributes: { 'error.type': 'CONFLICT' } })
    const parsed = receiver.spans.filter(({ name }) => name === 'parse')
    t.match(parsed.at(-1), { status: { code: 0 }, attributes: { 'error.type': 'GRAPHQL_VALIDATION_FAILED' } })
    t.notMatch(receiver.bodies.join(), /kept in the row|words of the function|query\.text/)
  })

  t.test('a trace that the caller does not sample is not recorded', async (t) => {
    await withApp(t, {}, async (app) => {
      await app.graphql('{ notes { id } }', {}, { traceparent: UNSAMPLED })
      await app.graphql('{ notes { id } }', {}, { traceparent: '00-nonsense' })
      await receiver.until(() => receiver.spans.length >= 5)
    })
    t.ok(receiver.spans.every(({ traceId }) => traceId !== TRACE))
    t.equal(receiver.spans.filter(({ name }) => name === 'POST /graphql').length, 1)
  })

  t.test('the trace of an external caller is linked or ignored, as configured', async (t) => {
    for (const incoming of ['link', 'ignore'] as const) {
      await withApp(t, { incoming }, async (app) => {
        await app.graphql('{ notes { id } }', {}, { traceparent: UNSAMPLED })
        await receiver.until(() => receiver.spans.some(({ name }) => name === 'POST /graphql'))
      })
      const { traceId, parentSpanId, links } = named('POST /graphql')
      t.not(traceId, TRACE, incoming)
      t.notOk(parentSpanId)
      t.match(links, incoming === 'link' ? [{ traceId: TRACE, spanId: CALLER }] : [])
      t.equal(links.length, incoming === 'link' ? 1 : 0)
    }
  })

  t.test('probes are left out; routes have names with few values; 5xx are errors', async (t) => {
    await withApp(
      t,
      {},
      async (app) => {
        for (const path of ['/health', '/health/ready', '/nowhere/at/all', '/things/1?x=hidden']) {
          await app.inject({ url: path })
        }
        await app.inject({ method: 'BREW', url: '/pot' })
        await app.inject({ method: 'POST', url: '/things/1' })
        await receiver.until(() => receiver.spans.some(({ name }) => name === 'HTTP'))
      },
      {},
      [entry(things)],
    )
    const requests = receiver.spans.filter(({ kind }) => kind === 2)
    t.strictSame(requests.map(({ name }) => name).sort(), ['GET', 'GET /things/:id', 'HTTP', 'POST /things/:id'])
    const failed = requests.filter(({ status }) => status.code === 2)
    t.match(failed, [{ name: 'POST /things/:id', attributes: { 'error.type': '500' } }])
    t.equal(failed.length, 1, 'what is the caller’s own is no error of the server')
    t.notMatch(receiver.bodies.join(), /hidden/, 'no query string')
  })

  t.test('a comment on statements of sampled traces alone: all others stay prepared', async (t) => {
    await withApp(t, { sql_comment: true }, async (app) => {
      const ask = async (traceparent: string) => {
        const { data } = await app.graphql('{ sent { text prepared } }', {}, { traceparent })
        return data.sent[0] as { text: string; prepared: number }
      }
      const sampled = await ask(SAMPLED)
      const comment = / \/\*traceparent='00-([0-9a-f]{32})-([0-9a-f]{16})-01'\*\/$/.exec(sampled.text)
      t.equal(comment?.[1], TRACE)
      await receiver.until(() => receiver.spans.some(({ name }) => name === 'SELECT v_sent'))
      t.equal(comment?.[2], named('SELECT v_sent').spanId, 'of the very span of the statement')
      for (let i = 0; i < 20; i++) t.notMatch((await ask(UNSAMPLED)).text, 'traceparent')
      const before = (await ask(UNSAMPLED)).prepared
      for (let i = 0; i < 20; i++) await ask(SAMPLED)
      t.ok(before >= 1 && (await ask(UNSAMPLED)).prepared <= before + 1, 'comments prepare nothing')
      t.same((await app.graphql('mutation { addNote(body: "new") }', {}, { traceparent: SAMPLED })).data, {
        addNote: true,
      })
    })
  })

  t.test(
    'of several databases each statement says which it is for, and each that shows comments has them',
    async (t) => {
      const types = SCHEMA.types?.map((type) => (type.name === 'Sent' ? { ...type, database: 'other' } : type)) ?? []
      const databases = { other: { kind: 'postgres', url }, file: await createSqlite(t, FILE) } as const
      const schema = extendSchema(
        { ...SCHEMA, types },
        tableSchema({ name: 'Leaf', sql_source: 'v_leaf', database: 'file', list: 'leaves', fields: { id: 'ID!' } }),
      )
      await withApp(
        t,
        { sql_comment: true },
        async (app) => {
          const { data } = await app.graphql(
            '{ notes { id } sent { text } leaves { id } }',
            {},
            { traceparent: SAMPLED },
          )
          t.match(data, {
            notes: [{ id: /^1$/ }],
            sent: [{ text: new RegExp(`traceparent='00-${TRACE}-`) }],
            leaves: [{ id: /^1$/ }],
          })
          await receiver.until(() => names().filter((name) => name.startsWith('SELECT')).length === 3)
        },
        { databases },
        [],
        schema,
      )
      const systems = receiver.spans
        .filter(({ kind }) => kind === 3)
        .map(({ name, attributes }) => [name, attributes['db.system.name'], attributes['svc.database']].join(' '))
      t.strictSame(systems.sort(), [
        'SELECT v_leaf sqlite file',
        'SELECT v_note postgresql ',
        'SELECT v_sent postgresql other',
      ])
    },
  )

  t.test('histograms show traces of sampled requests, to who reads OpenMetrics', async (t) => {
    const read = async (app: Awaited<ReturnType<typeof openApp>>, accept?: string) =>
      app.inject({ url: '/metrics', headers: accept === undefined ? {} : { accept } })
    await withApp(
      t,
      {},
      async (app) => {
        await app.graphql('{ notes { id } }', {}, { traceparent: SAMPLED })
        const open = await read(app, 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3')
        t.equal(open.headers['content-type'], 'application/openmetrics-text; version=1.0.0; charset=utf-8')
        for (const name of ['svc_http_request_duration_seconds', 'svc_graphql_query_duration_seconds']) {
          const line = new RegExp(
            `^${name}_bucket\\{.*\\} \\d+ # \\{trace_id="${TRACE}",span_id="[0-9a-f]{16}"\\} [\\d.e-]+ \\d+\\.?\\d*$`,
            'm',
          )
          t.match(open.text, line)
        }
        t.match(open.text, /^# TYPE svc_http_requests counter$/m)
        t.match(open.text, /^svc_http_requests_total\{method="POST",status="200"\} 1$/m)
        t.ok(open.text.endsWith('\n# EOF\n'))
        const plain = await read(app)
        t.equal(plain.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
        t.notMatch(plain.text, /trace_id|# EOF/)
        t.match(plain.text, /^svc_tracing_spans_exported_total \d+$/m)
        await app.graphql('{ notes { id } }', {}, { traceparent: `00-${'1'.repeat(32)}-${CALLER}-00` })
        t.notMatch((await read(app, 'application/openmetrics-text')).text, '1'.repeat(32), 'not of what is not sampled')
      },
      {},
      [entry(metrics)],
    )
  })

  t.test('a collector that is away is no matter of the service', async (t) => {
    receiver.status = 400
    const started = Date.now()
    await withApp(
      t,
      {},
      async (app) => {
        for (let i = 0; i < 3; i++) t.equal((await app.graphql('{ notes { id } }')).status, 200)
        await receiver.until(() => receiver.requests.length > 0)
        const shown = async () => (await app.inject({ url: '/metrics' })).text
        await receiver.until(() => true)
        const end = Date.now() + 20_000
        while (!/^svc_tracing_spans_lost_total [1-9]/m.test(await shown()) && Date.now() < end) {
          await new Promise((done) => setTimeout(done, 20))
        }
        t.match(await shown(), /^svc_tracing_spans_lost_total [1-9]/m)
      },
      {},
      [entry(metrics)],
    ).finally(() => {
      receiver.status = 200
    })
    t.ok(Date.now() - started < 60_000)
  })

  t.test('waiting spans are delivered when the service ends', async (t) => {
    process.env.OTEL_BSP_SCHEDULE_DELAY = '60000'
    try {
      await withApp(t, {}, async (app) => {
        await app.graphql('{ notes { id } }')
        t.equal(receiver.spans.length, 0)
      })
    } finally {
      process.env.OTEL_BSP_SCHEDULE_DELAY = '20'
    }
    t.ok(names().includes('POST /graphql'))
  })
}
