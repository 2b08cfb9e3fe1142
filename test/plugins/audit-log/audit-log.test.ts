import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import type { Exchange } from '../../../core/contract/exchange.ts'
import { refuseCredential } from '../../../core/service/lifecycle/refuse-credential.ts'
import { testPlugin } from '../../../core/testing/testing.ts'
import { type AuditEvent, clean, toEvent } from '../../../plugins/audit-log/audit-event.ts'
import { EventQueue, type Sink } from '../../../plugins/audit-log/event-queue.ts'
import auditLog from '../../../plugins/audit-log/index.ts'
import { fileSink, streamSink } from '../../../plugins/audit-log/line-sink.ts'
import rateLimiting from '../../../plugins/rate-limiting/index.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import type { TestLike } from '../../helpers/services.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const SQL = `
CREATE TABLE tb_note (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text, secret text);
INSERT INTO tb_note (body, secret) VALUES ('first', 'x'), ('second', 'y');
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE TYPE mutation_response AS (status text, message text, entity_id text, entity_type text, entity jsonb);
CREATE FUNCTION fn_add_note(p_body text) RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE n tb_note; BEGIN
  IF p_body = 'refuse' THEN RAISE EXCEPTION 'not this' USING HINT = 'NOT_THIS'; END IF;
  INSERT INTO tb_note (body) VALUES (p_body) RETURNING * INTO n;
  RETURN ('created', NULL, n.id, 'Note', to_jsonb(n))::mutation_response;
END $$;
CREATE FUNCTION fn_edit_note(p_id text) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'not now' USING HINT = 'NOT_NOW'; END $$;
`
const SCHEMA = extendSchema(
  tableSchema(
    { name: 'Note', sql_source: 'v_note', list: 'notes', fields: { id: 'ID!', body: 'String', secret: 'String' } },
    {
      queries: [{ name: 'own_notes', type: '[Note!]!', sql_source: 'v_note', authenticated: true }],
      mutations: [
        {
          name: 'add_note',
          type: 'Note',
          sql_source: 'fn_add_note',
          operation: 'CREATE',
          arguments: [{ name: 'body', type: 'String!' }],
        },
        {
          name: 'edit_note',
          type: 'Note',
          sql_source: 'fn_edit_note',
          operation: 'UPDATE',
          authenticated: true,
          arguments: [{ name: 'id', type: 'ID!' }],
        },
      ],
    },
  ),
  tableSchema(
    { name: 'Vault', sql_source: 'v_note', fields: { id: 'ID!' } },
    { queries: [{ name: 'vaults', type: '[Vault!]', sql_source: 'v_note' }] },
  ),
)
/** Denies a field, refuses credentials, and has what operators call. */
const guard = plugin('guard', (scope) => {
  scope.on('authorize', ({ auth }, _operation, access) => {
    access.deny('Note.secret')
    access.deny('Vault')
    if (auth?.subject === 'eve') access.deny('Note.body', undefined, { unless: { id: { _eq: '1' } } })
    if (auth?.subject === 'zoe') access.mask('Note.body', () => '*')
  })
  scope.on('authenticate', (ctx) => {
    if (ctx.headers['x-bad'] !== undefined) refuseCredential(scope.signals, ctx, 'guard', 'form')
    return undefined
  })
  scope.route({
    method: 'POST',
    path: '/api/v1/admin/reload-schema',
    handler: ({ headers }) => ({ status: headers['x-no'] === undefined ? 200 : 403, headers: {}, body: '' }),
  })
})

type Read = (app: TestApp) => Promise<readonly Partial<AuditEvent>[]>
async function open(t: TestLike, test: Parameters<typeof openApp>[1], options: object, read: Read) {
  const app = await openApp(t, test, SCHEMA, {
    plugins: [
      entry(guard),
      testCredential(),
      entry(rateLimiting as never, { enabled: true, trust_proxy_headers: true }),
      entry(auditLog as never, { enabled: true, ...options }),
    ],
  })
  /** Nothing waits for the log; the test does. */
  async function events(atLeast: number) {
    await app.kernel.settled(2000)
    for (let i = 0; i < 200 && (await read(app)).length < atLeast; i++) await sleep(20)
    await sleep(50)
    return read(app)
  }
  return { app, events }
}
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const lines = (text: string): AuditEvent[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const short = (events: readonly Partial<AuditEvent>[]) =>
  events
    .map((e) => [e.level, e.actor, e.action, e.resource, e.outcome, e.reason, e.entity_type, e.entity_id])
    .map((facts) => facts.map((one) => one ?? '-').join(' '))
    .sort()

async function act({ app }: { readonly app: TestApp }): Promise<void> {
  const ann = as({ subject: 'ann' })
  const from = { ...ann, 'x-forwarded-for': '198.51.100.7', 'x-request-id': 'request-1' }
  await app.graphql(
    'mutation ($text: String!) { addNote(body: $text) { id } }',
    { text: 'a password of somebody' },
    from,
  )
  await app.graphql('mutation { addNote(body: "refuse") { id } }', undefined, ann)
  await app.graphql('{ notes { id secret } }', undefined, ann)
  await app.graphql('{ shown: notes { harmless: secret } }', undefined, ann)
  await app.graphql('{ notes { id } v: vaults { id } }', undefined, ann)
  await app.graphql('{ notes { body } }', undefined, as({ subject: 'eve' }))
  await app.graphql('{ notes { shown: body } }', undefined, as({ subject: 'zoe' }))
  await app.graphql('mutation { e: editNote(id: "7") { id } }')
  await app.graphql('mutation { e: editNote(id: "7") { id } }', undefined, ann)
  await app.graphql('{ ownNotes { id } }')
  await app.graphql('{ notes { id } }', undefined, { 'x-bad': 'the text of a credential' })
  await app.graphql('{ notes { id } }', undefined, ann)
  await app.inject({ method: 'POST', url: '/api/v1/admin/reload-schema', headers: ann })
  await app.inject({ method: 'POST', url: '/api/v1/admin/reload-schema', headers: { ...ann, 'x-no': '1' } })
}
const WARN = [
  'warn ann read_field notes.secret denied FORBIDDEN Note -',
  'warn ann read_field notes.secret denied FORBIDDEN Note -',
  'warn ann query vaults denied FORBIDDEN Vault -',
  'warn - mutate editNote denied UNAUTHENTICATED Note 7',
  'warn - query ownNotes denied UNAUTHENTICATED Note -',
  'warn - authenticate guard failure form - -',
]
const INFO = (id: number) => [
  ...WARN,
  `info ann mutate addNote success - Note ${id}`,
  'info ann mutate addNote failure NOT_THIS Note -',
  'info ann mutate editNote failure NOT_NOW Note 7',
  'info eve read_field Note.body partial BY_ROW Note -',
  'info zoe read_field Note.body partial MASKED Note -',
  'info ann operate POST /api/v1/admin/reload-schema success - - -',
  'info ann operate POST /api/v1/admin/reload-schema denied - - -',
]
const DEBUG = (id: number) => [
  ...INFO(id),
  ...Array(9).fill('debug ann authenticate jwt success - - -'),
  'debug eve authenticate jwt success - - -',
  'debug zoe authenticate jwt success - - -',
  'debug - query notes success - - -',
  ...Array(3).fill('debug ann query notes success - - -'),
  'debug ann query notes vaults success - - -',
  'debug eve query notes success - - -',
  'debug zoe query notes success - - -',
]

await eachDatabase(
  t,
  async (t, test) => {
    await t.test('a table: the row of a write stands and falls with it', async (t) => {
      const names = [
        'level',
        'actor',
        'action',
        'resource',
        'outcome',
        'reason',
        'entity_type',
        'entity_id',
        'ip',
        'request_id',
      ]
      const read: Read = async ({ database }) => {
        const { rows } = await database.query({ name: null, text: `SELECT ${names} FROM svc_audit_log` }, [], null)
        return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])))
      }
      const opened = await open(t, test, { sink: 'table' }, read)
      await act(opened)
      const rows = await opened.events(INFO(3).length)
      t.same(short(rows), INFO(3).sort())
      t.match(
        rows.find(({ entity_id: id }) => id !== null),
        { ip: '198.51.100.7', request_id: 'request-1' },
      )
      await opened.app.database.script('ALTER TABLE svc_audit_log RENAME TO gone')
      const refused = await opened.app.graphql('mutation { addNote(body: "unseen") { id } }')
      t.ok(refused.errors !== undefined, 'what nobody can keep is not written')
      t.equal((await opened.app.graphql('{ notes { body } }')).data.notes.length, 3)
    })

    if (test.kind !== 'postgres') return
    await t.test('a file: what was done, by whom, from where, and nothing of what was sent', async (t) => {
      for (const [level, wanted] of [
        ['warn', () => WARN],
        ['info', INFO],
        ['debug', DEBUG],
      ] as const) {
        const file = join(t.testdir({}), `${level}.jsonl`)
        const read: Read = async () => lines(await readFile(file, 'utf8'))
        const opened = await open(t, test, { level, sink: 'file', file }, read)
        await act(opened)
        const events = await opened.events(wanted(0).length)
        const written = events.find(({ entity_id: id }) => id !== null)
        t.same(short(events), [...wanted(Number(written?.entity_id))].sort(), level)
        t.notMatch(await readFile(file, 'utf8'), /password|credential|refuse"/)
        t.equal((await stat(file)).mode & 0o777, 0o600)
        if (level === 'warn') continue
        t.match(written, { timestamp: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, ip: '198.51.100.7', request_id: 'request-1' })
      }
    })
  },
  { sql: SQL },
)

const event = (resource: string): AuditEvent => {
  const exchange = { auth: { subject: 'ann' }, id: 'id' } as unknown as Exchange
  return toEvent(exchange, '192.0.2.1', { level: 'info', action: 'mutate', resource, outcome: 'success' })
}

t.test('a line is a line, whatever stands in it', async (t) => {
  const evil = 'a\r\n{"level":"info","actor":"root"}\u2028\u0085\u001b[31m\u202e\0\ud800'
  const exchange = { auth: { subject: evil }, id: `${evil}-${'x'.repeat(1e6)}` } as unknown as Exchange
  const facts = { level: 'warn', action: 'authenticate', outcome: 'failure' } as const
  const made = toEvent(exchange, evil, { ...facts, resource: evil, reason: evil, entityId: evil })
  const line = JSON.stringify(made)
  t.notMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  t.notMatch(line, /\\[nru]/, 'nor does it become one again when it is read')
  t.ok(line.length < 3000, 'bounded')
  t.equal(JSON.parse(line).level, 'warn')
  t.equal(clean('Zoë 日本 👩🏽'), 'Zoë 日本 👩🏽')
  const started = performance.now()
  clean('\n'.repeat(5e6))
  t.ok(performance.now() - started < 1000)
})

/** A sink that does what the test says. */
function sinkOf(write: (events: readonly AuditEvent[]) => Promise<void>): Sink & { readonly seen: string[] } {
  const seen: string[] = []
  return {
    seen,
    batch: 10,
    async write(events) {
      await write(events)
      seen.push(...events.map(({ resource }) => resource))
    },
    async close() {},
  }
}

t.test('a slow sink: requests do not wait, the queue is bounded, lost events are reported', async (t) => {
  let go = () => {}
  const gate = new Promise<void>((done) => {
    go = done
  })
  const sink = sinkOf(() => gate)
  const lost: number[] = []
  const queue = new EventQueue(sink, { maxQueued: 100, lost: (count) => lost.push(count), failed: () => {} })
  const started = performance.now()
  let taken = 0
  for (let i = 0; i < 100_000; i++) if (queue.add(event(`e${i}`))) taken++
  t.ok(performance.now() - started < 5000)
  t.equal(taken, 100)
  t.ok(lost.length >= 1 && lost.length <= 8, 'said, and not a hundred thousand times')
  go()
  await queue.close()
  t.same(
    sink.seen,
    Array.from({ length: 100 }, (_, i) => `e${i}`),
    'in order',
  )
  const sum = () => lost.reduce((all, count) => all + count, 0)
  t.equal(sum(), 99_900, 'to the letter')
  t.notOk(queue.add(event('late')))
  t.equal(sum(), 99_901)
})

t.test('a failing sink is retried, and reported once', async (t) => {
  let isDown = true
  const sink = sinkOf(async () => {
    if (isDown) throw new Error('no space left')
  })
  const failures: unknown[] = []
  const lost: number[] = []
  const told = { lost: (count: number) => void lost.push(count), failed: (error: unknown) => void failures.push(error) }
  const queue = new EventQueue(sink, { maxQueued: 1000, retryMs: 5, ...told })
  for (let i = 0; i < 25; i++) queue.add(event(`e${i}`))
  await sleep(60)
  t.equal(failures.length, 1)
  isDown = false
  for (let i = 0; i < 100 && sink.seen.length < 25; i++) await sleep(10)
  queue.add(event('after'))
  for (let i = 0; i < 100 && sink.seen.length < 26; i++) await sleep(10)
  t.equal(sink.seen.length, 26, 'nothing was lost, nothing came twice')
  isDown = true
  queue.add(event('x'))
  await queue.close()
  t.same(lost, [1], 'what could not be written at the end')

  const hangs = new EventQueue(
    sinkOf(() => new Promise(() => {})),
    { maxQueued: 10, closeMs: 30, ...told },
  )
  hangs.add(event('y'))
  await hangs.close()
  t.same(lost, [1, 1], 'and closing does not wait for ever')
})

t.test('files that are moved away, streams whose reader is gone', async (t) => {
  const dir = t.testdir({})
  const path = join(dir, 'audit.jsonl')
  const sink = await fileSink(path)
  await sink.write([event('one')])
  await rename(path, join(dir, 'old.jsonl'))
  await sink.write([event('two')])
  await sink.write([event('three')])
  await sink.close()
  const of = async (name: string) => lines(await readFile(join(dir, name), 'utf8')).map(({ resource }) => resource)
  t.same([await of('old.jsonl'), await of('audit.jsonl')], [['one'], ['two', 'three']])

  // Killed within a line; and by a full disk within the same process.
  await writeFile(path, '{"torn":')
  const after = await fileSink(path)
  await after.write([event('four')])
  await after.close()
  const [torn, ...whole] = (await readFile(path, 'utf8')).split('\n')
  t.equal(torn, '{"torn":')
  t.same([JSON.parse(whole[0] ?? '').resource, whole.slice(1)], ['four', ['']], 'the next begins on a line of its own')
  const again = await fileSink(path)
  await again.write([event('five')])
  await again.close()
  t.equal((await readFile(path, 'utf8')).split('\n').length, 4, 'and a whole one stays as it is')

  const stream = new PassThrough()
  const out = streamSink(stream)
  await out.write([event('a'), event('b')])
  t.equal(lines(String(stream.read())).length, 2)
  stream.destroy(new Error('EPIPE'))
  await t.rejects(out.write([event('c')]))
})

t.test('configurations that cannot be meant', async (t) => {
  const boot = (options: object) => testPlugin(auditLog, { options: { enabled: true, ...options } })
  for (const [options, message] of [
    [{ sink: 'file' }, /has the sink "file" and no file/],
    [{ sink: 'file', file: '/nowhere/at/all' }, /cannot open its file "\/nowhere\/at\/all"/],
    [{ sink: 'stdout', file: 'x' }, /has a file, and its sink is "stdout"/],
    [{ level: 'trace' }, /level/],
  ] as const)
    await t.rejects(boot(options), { code: 'SVC_BOOT_FAILED', message })
})
