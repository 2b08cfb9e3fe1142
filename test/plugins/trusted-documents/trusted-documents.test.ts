import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { type Database, definePlugin, type Plugin } from '../../../core/doors/plugin.ts'
import { testPlugin } from '../../../core/testing/testing.ts'
import apq from '../../../plugins/apq/index.ts'
import graphql from '../../../plugins/graphql/index.ts'
import metrics from '../../../plugins/metrics/index.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import trustedDocuments from '../../../plugins/trusted-documents/index.ts'
import { TrustedList } from '../../../plugins/trusted-documents/trusted-list.ts'
import { failure } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { linkShop } from '../graphql/shop.ts'

const USERS = '{ users { id } }'
const NAMES = 'query Names { users { name } }'
const OTHER = '{ users { id name } }'
const DATABASE = { pool: { active: 0, idle: 0, waiting: 0, connected: true } } as Database

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const manifestOf = (...texts: readonly string[]) =>
  JSON.stringify(Object.fromEntries(texts.map((text) => [sha256(text), text])))
const hashed = (text: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) } } })

interface Started {
  readonly manifest?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly withApq?: boolean
  readonly more?: readonly Plugin[]
}

async function start(
  t: Test,
  { manifest = manifestOf(USERS, NAMES), options = {}, withApq = false, more = [] }: Started = {},
) {
  const path = join(t.testdir({ 'documents.json': manifest }), 'documents.json')
  const isRemote = options.manifest_url !== undefined
  let ran = 0
  const tested = await openPlugin(t, trustedDocuments, {
    dependencies: [
      graphql,
      { plugin: queryLimits, options: { max_query_depth: 2 } },
      { plugin: metrics, options: {} },
      ...more,
      ...(withApq ? [{ plugin: apq, options: { enabled: true } }] : []),
    ],
    options: { enabled: true, ...(isRemote ? {} : { manifest_path: path }), ...options },
    database: DATABASE,
    schema: linkShop(),
    resolve() {
      ran++
      return { data: '{"users":[]}', errors: null }
    },
  })
  async function ask(body: object) {
    const reply = await tested.inject({ method: 'POST', url: '/graphql', body })
    return { status: reply.status, code: codeIn(reply.json()) }
  }
  async function get(query: string) {
    const reply = await tested.inject({ url: `/graphql?${query}` })
    return { status: reply.status, code: codeIn(reply.json()) }
  }
  async function counts() {
    const { text } = await tested.inject({ url: '/metrics' })
    return ['hits', 'misses', 'rejected'].map((name) =>
      Number(new RegExp(`^svc_trusted_documents_${name}_total (\\d+)`, 'm').exec(text)?.[1] ?? 0),
    )
  }
  const warnings = () =>
    tested.signals.flatMap((signal) => (signal.type === 'trusted-documents:warning' ? [signal.message] : []))
  return { tested, path, ask, get, counts, warnings, ran: () => ran }
}

function codeIn(body: unknown): string | undefined {
  return (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code
}

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/documents.json?token=secret`
}

t.test('strict: the documents of the manifest run, by id or text, and nothing else', async (t) => {
  const { ask, get, counts, ran } = await start(t, { options: { mode: 'strict' }, withApq: true })
  const id = sha256(USERS)
  const good = { status: 200, code: undefined }
  for (const body of [
    { documentId: id },
    { documentId: `sha256:${id}` },
    { doc_id: id },
    { id },
    { extensions: { doc_id: id } },
    hashed(USERS),
    { query: USERS },
    { query: USERS, ...hashed(USERS) },
    { query: NAMES, operationName: 'Names' },
  ]) {
    t.match(await ask(body), good, JSON.stringify(body))
  }
  t.match(await get(`documentId=${id}`), good)
  t.match(await get(`extensions=${encodeURIComponent(JSON.stringify(hashed(USERS).extensions))}`), good)
  t.equal(ran(), 11)

  const forbidden = { status: 400, code: 'FORBIDDEN_QUERY' }
  for (const query of [
    OTHER,
    `${USERS} `,
    `#\n${USERS}`,
    '{users{id}}',
    '{ __schema { queryType { name } } }',
    '{ __typename }',
    'mutation { __typename }',
    '{ broken',
  ]) {
    t.match(await ask({ query }), forbidden, query)
    t.match(await ask({ query, documentId: id }), forbidden, 'an id beside it changes nothing')
    t.match(await ask({ query, ...hashed(query) }), forbidden, 'it is not registered')
  }
  t.match(await get(`query=${encodeURIComponent(OTHER)}`), forbidden)
  t.match(await ask({ query: '' }), forbidden)
  const missing = { status: 400, code: 'DOCUMENT_NOT_FOUND' }
  for (const body of [{ documentId: sha256(OTHER) }, { id: '__proto__' }, { doc_id: '' }, hashed(OTHER)]) {
    t.match(await ask(body), missing, JSON.stringify(body))
  }
  for (const body of [{ documentId: 5 }, { id: [id] }, { extensions: { doc_id: {} } }, {}]) {
    t.match(await ask(body), { status: 400, code: 'REQUEST_ERROR' }, JSON.stringify(body))
  }
  t.equal(ran(), 11)
  t.same(await counts(), [11, 30, 30])
  t.match(await ask({ query: '', documentId: id }), good, 'a message that cannot leave it out leaves it empty')
})

t.test('permissive: others run, and each is named once', async (t) => {
  const { tested, ask, counts } = await start(t, { withApq: true })
  t.match(await ask({ documentId: sha256(USERS) }), { status: 200, code: undefined })
  for (const operationName of ['A', 'A', 'x'.repeat(500)]) {
    await ask({ query: 'query A { users { id name } }', operationName })
  }
  t.match(await ask({ documentId: sha256(OTHER) }), { status: 400, code: 'DOCUMENT_NOT_FOUND' })
  t.match(await ask(hashed(OTHER)), { status: 200, code: 'PERSISTED_QUERY_NOT_FOUND' }, 'the other plugin is asked')
  t.match(await ask({ query: OTHER, ...hashed(OTHER) }), { status: 200, code: undefined })
  t.match(await ask(hashed(OTHER)), { status: 200, code: undefined })
  t.match(
    tested.signals.filter(({ type }) => type === 'trusted-documents:unknown'),
    [
      { operationName: /^A$/, sha256: sha256('query A { users { id name } }') },
      { operationName: null, sha256: sha256(OTHER) },
    ],
  )
  t.same(await counts(), [1, 5, 1])
})

t.test('documents that do not fit the schema are named at start; limits hold for all', async (t) => {
  const deep = '{ user(id: "1") { boss { id } } }'
  const manifest = manifestOf(USERS, '{ users { shoe } }', '{ users {', deep, 'fragment F on User { id }')
  const { ask, warnings } = await start(t, { manifest, options: { mode: 'strict' } })
  const [warning] = warnings()
  t.match(warning, /^4 of 5 trusted documents do not fit the schema: /)
  t.match(warning, /Cannot query field "shoe"/)
  t.match(warning, /nested deeper than 2 levels/)
  t.match(await ask({ documentId: sha256(deep) }), { code: 'VALIDATION_ERROR' })
  t.match(await ask({ documentId: sha256(USERS) }), { code: undefined })
})

t.test('the manifest is read again; one that cannot be used changes nothing', async (t) => {
  const { path, ask, warnings } = await start(t, { options: { mode: 'strict', reload_interval_secs: 1 } })
  const until = async (check: () => Promise<boolean>) => {
    while (!(await check())) await sleep(20)
  }
  writeFileSync(path, '{ "x": ')
  await until(async () => warnings().length > 0)
  t.match(warnings(), [/cannot be used:\n {2}- it is not JSON: .*\n?.* The one before stays in use\.$/s])
  t.match(await ask({ query: USERS }), { code: undefined })
  await sleep(1100)
  t.equal(warnings().length, 1, 'said once')
  writeFileSync(path, manifestOf(OTHER))
  await until(async () => (await ask({ query: OTHER })).code === undefined)
  t.match(await ask({ query: USERS }), { code: 'FORBIDDEN_QUERY' })
})

t.test('a manifest that cannot be had', async (t) => {
  const boot = async (options: object) =>
    (await failure(() => start(t, { options: options as Record<string, unknown> }))).message
  const folder = mkdtempSync(join(tmpdir(), 'svc-pipe-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const mode of ['strict', 'permissive']) {
    t.match(await boot({ mode, manifest_path: pipe }), /cannot be read: it is no file/, 'and nobody writes to it')
    t.match(await boot({ mode, manifest_path: '/nowhere/documents.json' }), /cannot be read: ENOENT/)
    t.match(await boot({ mode, manifest_path: '/dev/null' }), /cannot be read: it is no file/)
  }
  t.match((await failure(() => start(t, { manifest: '{"a":"b"}' }))).message, /"a" is no hash/)
  t.match(await boot({ manifest_url: 'ftp://example.com/a' }), /begins with https/)
  const path = '/x.json'
  t.match(await boot({ manifest_url: 'https://example.com/a', manifest_path: path }), /one of manifest_path and/)
  const none = await failure(() =>
    testPlugin(trustedDocuments, { dependencies: [graphql], options: { enabled: true } }),
  )
  t.match(none.message, /needs one of manifest_path and manifest_url/)
})

t.test('over HTTP: once at start, no redirects, bounded, no secrets in messages', async (t) => {
  const url = await serve(t, (_, reply) => reply.end(manifestOf(USERS)))
  const { ask } = await start(t, { options: { mode: 'strict', manifest_url: url } })
  t.match(await ask({ documentId: sha256(USERS) }), { code: undefined })

  for (const [listener, why] of [
    [(_, reply) => reply.writeHead(302, { location: url }).end(), /it answers with status 302/],
    [(_, reply) => reply.writeHead(500).end(), /it answers with status 500/],
    [(_, reply) => reply.destroy(), /cannot be read/],
    [(_, reply) => reply.end(Buffer.alloc(11 * 1024 * 1024, ' ')), /it is larger than 10 MiB/],
  ] as readonly (readonly [RequestListener, RegExp])[]) {
    const manifest_url = await serve(t, listener)
    const { message } = await failure(() => start(t, { options: { mode: 'strict', manifest_url } }))
    t.match(message, why)
    t.notMatch(message, /secret/)
    const open = await start(t, { options: { manifest_url } })
    t.match(open.warnings(), [/All documents count as unknown until it can be\.$/])
    t.match(await open.ask({ query: OTHER }), { status: 200, code: undefined })
  }
})

t.test('an unreachable server at start is retried until it answers, also without an interval', async (t) => {
  let isAway = true
  let asked = 0
  const manifest_url = await serve(t, (_, reply) => {
    asked++
    if (isAway) reply.destroy()
    else reply.end(manifestOf(USERS))
  })
  const { ask, warnings } = await start(t, { options: { manifest_url } })
  t.match(await ask({ documentId: sha256(USERS) }), { code: 'DOCUMENT_NOT_FOUND' })
  while (asked < 2) await sleep(20)
  isAway = false
  while ((await ask({ documentId: sha256(USERS) })).code !== undefined) await sleep(20)
  const after = asked
  await sleep(1500)
  t.equal(asked, after, 'then it is left alone')
  t.equal(warnings().length, 2, 'at start, and once for all that failed since')
})

t.test('a password with an unencoded percent sign', async (t) => {
  const heard: unknown[] = []
  const url = await serve(t, ({ headers }, reply) => {
    heard.push(headers.authorization)
    reply.end(manifestOf(USERS))
  })
  await start(t, { options: { mode: 'strict', manifest_url: url.replace('://', '://app:50%off@') } })
  t.strictSame(heard, [`Basic ${Buffer.from('app:50%off').toString('base64')}`])
})

t.test('an empty or truncated manifest from the server is ignored', async (t) => {
  const whole = manifestOf(USERS, NAMES)
  let answer: RequestListener = (_, reply) => reply.end(whole)
  let asked = 0
  const manifest_url = await serve(t, (request, reply) => {
    asked++
    answer(request, reply)
  })
  const { ask, warnings } = await start(t, { options: { mode: 'strict', manifest_url, reload_interval_secs: 1 } })
  for (const [bad, why] of [
    [(_, reply) => reply.end('{}'), /holds no document; the one before had 2/],
    [(_, reply) => reply.end(whole.slice(0, -20)), /is not JSON/],
    [
      (_, reply) =>
        void reply.writeHead(200, { 'content-length': whole.length }).write(whole.slice(0, 20), () => reply.destroy()),
      /cannot be read/,
    ],
    [
      // Of a gigabyte no more is taken than may be.
      (_, reply) => {
        const chunk = Buffer.alloc(1024 * 1024, 32)
        const more = (): void => {
          if (!reply.destroyed) reply.write(chunk, more)
        }
        reply.on('error', () => {})
        more()
      },
      /larger than 10 MiB/,
    ],
  ] as readonly (readonly [RequestListener, RegExp])[]) {
    const before = warnings().length
    answer = bad
    while (warnings().length === before) await sleep(20)
    t.match(warnings().at(-1), why)
    t.match(await ask({ documentId: sha256(NAMES) }), { code: undefined }, 'the last good one stays')
    answer = (_, reply) => reply.end(whole)
    // The next failure is news again.
    const seen = asked
    while (asked < seen + 2) await sleep(20)
  }
  answer = (_, reply) => reply.end(manifestOf(USERS))
  while ((await ask({ documentId: sha256(NAMES) })).code === undefined) await sleep(20)
  t.match(await ask({ documentId: sha256(USERS) }), { code: undefined }, 'an older one is a list like any other')
})

t.test('user and password of a URL are sent as what they are, and stand in no message', async (t) => {
  const seen: (string | undefined)[] = []
  const url = new URL(
    await serve(t, (request, reply) => {
      seen.push(request.headers.authorization)
      reply.writeHead(seen.length === 1 ? 200 : 403).end(manifestOf(USERS))
    }),
  )
  url.username = 'deploy'
  url.password = 'p@ss:word'
  const options = { mode: 'strict', manifest_url: url.href }
  const { ask, tested } = await start(t, { options })
  t.match(await ask({ documentId: sha256(USERS) }), { code: undefined })
  t.same(seen, [`Basic ${Buffer.from('deploy:p@ss:word').toString('base64')}`])
  const refused = await failure(() => start(t, { options }))
  t.match(refused.message, /it answers with status 403/)
  const away = await failure(() =>
    start(t, { options: { ...options, manifest_url: 'http://deploy:p%40ss@127.0.0.1:1/x' } }),
  )
  t.match(away.message, /cannot be read/)
  for (const said of [refused, away, tested.signals]) {
    const text = inspect(said, { depth: 9 })
    for (const secret of ['deploy', 'p@ss', 'p%40ss', 'ZGVwbG95', 'token=']) t.notOk(text.includes(secret), secret)
  }
})

t.test('one manifest is read at a time, and the last requested one stays', async (t) => {
  const answers: ((text: string) => void)[] = []
  const list = new TrustedList({ name: 'x', read: () => new Promise((resolve) => answers.push(resolve)) })
  const both = [list.load(), list.load()]
  t.equal(answers.length, 1, 'who comes while it is read waits for that')
  answers[0]?.(manifestOf(USERS))
  t.same(await Promise.all(both), [true, true])
  const next = list.load()
  answers[1]?.(manifestOf(OTHER))
  t.equal(await next, true)
  t.same([...list.documents.values()], [OTHER])
})

t.test('a failure while documents are prepared does not end the process', async (t) => {
  let reload = () => {}
  const broken = definePlugin(
    { name: 'broken', version: '1.0.0', kernelApi: 1, description: 'Fails whatever comes in.' },
    (scope) => {
      reload = () => scope.signals.emit({ type: 'generation-loaded', hash: 'x', reason: 'reload' })
      scope.on('onRequest', ({ transport }, next) => {
        if (transport === 'internal') throw new Error('not now')
        return next()
      })
    },
  )
  const { tested, ask, warnings } = await start(t, { more: [broken] })
  t.match(warnings(), [/^The trusted documents could not be prepared/])
  t.match(await ask({ documentId: sha256(USERS) }), { code: undefined }, 'it boots, and answers')
  reload()
  for (let i = 0; i < 100 && warnings().length < 2; i++) await sleep(10)
  t.equal(warnings().length, 2, 'nor after a reload')
  t.equal(tested.takeReported().length, 2, 'the log has the cause')
})

t.test('so many documents as the options say are prepared ahead, and it is counted what came of each', async (t) => {
  const manifest = manifestOf(USERS, '{ gone { id } }', NAMES, OTHER)
  const cases = [
    [{}, { warmed: 3, failed: 1, skipped: 0 }],
    [{ warm_documents: 2 }, { warmed: 1, failed: 1, skipped: 2 }],
    [{ warm_documents: 0 }, { warmed: 0, failed: 0, skipped: 4 }],
  ] as const
  for (const [options, expected] of cases) {
    const { tested, ask, warnings } = await start(t, { manifest, options })
    const { text } = await tested.inject({ url: '/metrics' })
    for (const [outcome, count] of Object.entries(expected)) {
      const line = `svc_trusted_documents_warmed_total{outcome="${outcome}"} ${count}`
      t.ok(text.includes(line), `${JSON.stringify(options)}: ${line}`)
    }
    t.equal(warnings().length, expected.failed)
    if (expected.failed > 0) t.match(warnings()[0], sha256('{ gone { id } }'), 'the warning has the id')
    t.match(await ask({ documentId: sha256(OTHER) }), { status: 200 }, 'what was skipped is prepared by its request')
  }
})

t.test('the start waits no longer for the documents than the options say', async (t) => {
  let prepared = 0
  const slow = definePlugin(
    { name: 'slow', version: '1.0.0', kernelApi: 1, description: 'Slow.', dependencies: ['graphql'] },
    (scope) => {
      scope.on('graphql:prepared', async () => {
        await sleep(30)
        prepared++
      })
    },
  )
  const texts = Array.from({ length: 50 }, (_, i) => `query Q${i} { users { id } }`)
  await start(t, { manifest: manifestOf(...texts), options: { warm_wait_ms: 0 }, more: [slow] })
  t.ok(prepared < 10, `${prepared} before it started`)
})

t.test('a long manifest does not delay start or stop', async (t) => {
  let prepared = 0
  const slow = definePlugin(
    { name: 'slow', version: '1.0.0', kernelApi: 1, description: 'Slow.', dependencies: ['graphql'] },
    (scope) => {
      scope.on('graphql:prepared', () => {
        prepared++
        const until = performance.now() + 20
        while (performance.now() < until);
      })
    },
  )
  const texts = Array.from({ length: 600 }, (_, i) => `query Q${i} { users { id } }`)
  const { tested } = await start(t, { manifest: manifestOf(...texts), more: [slow] })
  const atStart = prepared
  t.ok(atStart > 0 && atStart < texts.length, `${atStart} before it started`)
  while (prepared === atStart) await sleep(20)
  t.pass('the others follow')
  await tested.close()
  const atEnd = prepared
  t.ok(atEnd < texts.length)
  await sleep(500)
  t.ok(prepared <= atEnd + 1, 'and nothing goes on behind the end')
})
