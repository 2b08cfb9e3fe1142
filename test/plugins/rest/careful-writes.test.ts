import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Exchange } from '../../../core/contract/exchange.ts'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { answerChecker } from './check-answers.ts'
import { POST, REST_SCHEMA, REST_SQL, restPlugin, USER } from './world.ts'

/** Writes that look before they leap: `If-Match`, rows that move meanwhile, `Idempotency-Key`, `Prefer: resolution`. */
const url = await createPostgresDatabase(t, { sql: REST_SQL })
const sql = async (text: string) => Object.values((await runOnServer(new URL(url).pathname.slice(1), text))[0] ?? {})[0]

/** What somebody else does once: before the transaction of a write begins, or in it, before the function is called. */
let meanwhile: { at: 'resolve' | 'mutation:before'; work: () => Promise<unknown> } | null = null
const others = () =>
  entry(
    plugin('others', (scope) => {
      const now = async (at: string) => {
        const work = meanwhile?.at === at ? meanwhile.work : null
        if (work === null) return
        meanwhile = null
        await work()
      }
      scope.on('resolve', async (_ctx, { template }, next) => {
        if (template.kind === 'mutation') await now('resolve')
        return next()
      })
      scope.on('mutation:before', () => now('mutation:before'))
    }),
  )
const openRest = (options: object = {}) =>
  openApp(t, { kind: 'postgres', url }, REST_SCHEMA, { plugins: [restPlugin(options), testCredential(), others()] })
const app = await openRest()

type Headers = Readonly<Record<string, string>>
const sender = (to: typeof app) => {
  const check = answerChecker(t, to)
  return async (method: string, path: string, body?: unknown, headers: Headers = {}) => {
    const reply = await to.inject({
      method,
      url: `/rest/v1${path}`,
      headers,
      ...(body === undefined ? {} : { body: body as object }),
    })
    check(method, path, reply)
    // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
    return { ...reply, body: reply.text === '' ? null : (reply.json() as any) }
  }
}
const send = sender(app)
const line = async (...args: Parameters<typeof send>) => {
  const { status, body } = await send(...args)
  return `${status} ${body?.error?.code ?? ''}`.trim()
}
const tagOf = async (path: string) => String((await send('GET', path)).headers.etag)

t.test('If-Match: only the row that the caller saw is written', async (t) => {
  const path = `/posts/${POST(1)}`
  const seen = await tagOf(path)
  t.equal(await line('PATCH', path, { title: 'First' }, { 'if-match': seen }), '200')
  const { status, body } = await send('PATCH', path, { title: 'Second' }, { 'if-match': seen })
  t.same([status, body.error.code, body.error.details], [412, 'PRECONDITION_FAILED', {}])
  t.equal(await sql(`SELECT title FROM tb_post WHERE id = '${POST(1)}'`), 'First')
  const now = await tagOf(path)
  t.equal(
    await line('PATCH', path, { title: 'x' }, { 'if-match': `"other", ${now.slice(2)}` }),
    '200',
    'a list, weakly',
  )
  t.equal(await line('POST', `${path}/publish`, undefined, { 'if-match': seen }), '412 PRECONDITION_FAILED')
  t.equal(await line('POST', `${path}/publish`, undefined, { 'if-match': await tagOf(path) }), '200', 'actions, too')
  const whole = { title: 'New', body: null, status: 'LIVE', views: '5' }
  t.equal(await line('PUT', path, whole, { 'if-match': seen }), '412 PRECONDITION_FAILED')
  t.equal(await line('PUT', path, whole, { 'if-match': '*' }), '200')
  t.equal(await line('DELETE', path, undefined, { 'if-match': seen }), '412 PRECONDITION_FAILED')
  t.equal(
    await line('PATCH', path, { title: 'x' }, { 'if-match': seen, prefer: 'tx=rollback' }),
    '412 PRECONDITION_FAILED',
  )
  const narrow = await tagOf(`${path}?select=id,author(name)`)
  t.equal(await line('PATCH', `${path}?select=id,author(name)`, { title: 'By select' }, { 'if-match': narrow }), '200')
  t.equal(
    await line('PATCH', path, { title: 'x' }, { 'if-match': narrow }),
    '412 PRECONDITION_FAILED',
    'as GET of that URL',
  )
  const hidden = { 'if-match': '*' }
  t.equal(
    await line('PATCH', `${path}?select=author(salary)`, { title: 'x' }, hidden),
    '401 UNAUTHENTICATED',
    'guarded',
  )
  t.equal(await line('DELETE', path, undefined, { 'if-match': await tagOf(path) }), '204')
  t.equal(
    await line('DELETE', path, undefined, { 'if-match': '*' }),
    '404 NOT_FOUND',
    'of what is not there nothing matches',
  )
  t.equal(await line('PATCH', '/posts/nope', { title: 'x' }, { 'if-match': '*' }), '400 BAD_USER_INPUT')
})

t.test('If-Match where there is no row to match', async (t) => {
  const header = { 'if-match': '*' }
  for (const [method, path, body] of [
    ['POST', '/posts', { authorId: USER(1), title: 'x' }],
    ['POST', '/posts', [{ authorId: USER(1), title: 'x' }]],
    ['POST', '/count-words', { text: 'a' }],
    ['PATCH', '/posts?title=x', { title: 'y' }],
    ['DELETE', '/posts?title=x', undefined],
  ] as const) {
    t.equal(await line(method, path, body, header), '400 BAD_REQUEST', `${method} ${path}`)
  }
  const untagged = sender(await openRest({ etag: false }))
  t.equal((await untagged('PATCH', `/posts/${POST(2)}`, { title: 'x' }, header)).status, 400, 'what cannot be compared')
})

t.test('a row that another request writes between the read and the write', async (t) => {
  const path = `/posts/${POST(2)}`
  for (const at of ['resolve', 'mutation:before'] as const) {
    const seen = await tagOf(path)
    meanwhile = { at, work: () => sql(`UPDATE tb_post SET body = 'theirs ${at}' WHERE id = '${POST(2)}'`) }
    t.equal(await line('PATCH', path, { title: 'Mine' }, { 'if-match': seen }), '412 PRECONDITION_FAILED', at)
    t.equal(await sql(`SELECT title || ' ' || body FROM tb_post WHERE id = '${POST(2)}'`), `Post 02 theirs ${at}`)
  }
  const note = 'c0000000-0000-4000-8000-000000000001'
  for (const at of ['resolve', 'mutation:before'] as const) {
    meanwhile = { at, work: () => sql(`UPDATE tb_note SET stars = stars + 1 WHERE id = '${note}'`) }
    const { body } = await send('PATCH', `/notes/${note}`, { text: `mine ${at}` })
    t.same(body.data.text, `mine ${at}`)
  }
  t.equal(await sql(`SELECT stars FROM tb_note WHERE id = '${note}'`), 5, 'what the body left out is as they wrote it')
})

t.test('a row that ceases to match is not written, whenever that is', async (t) => {
  for (const at of ['resolve', 'mutation:before'] as const) {
    await sql("UPDATE tb_post SET status = 'draft', body = NULL")
    meanwhile = { at, work: () => sql(`UPDATE tb_post SET status = 'live' WHERE id = '${POST(5)}'`) }
    const { status, headers } = await send('PATCH', `/posts?status=DRAFT&id[in]=${POST(4)},${POST(5)}`, {
      body: 'swept',
    })
    t.same([status, headers['x-rows-affected']], [200, '1'], at)
    t.equal(await sql(`SELECT body FROM tb_post WHERE id = '${POST(5)}'`), null)
    t.equal(await sql("SELECT count(*)::int FROM tb_post WHERE body = 'swept'"), 1)
  }
  meanwhile = { at: 'resolve', work: () => sql(`UPDATE tb_post SET status = 'draft' WHERE id = '${POST(5)}'`) }
  const late = await send('DELETE', `/posts?status=DRAFT&id[in]=${POST(4)},${POST(5)}`, undefined, {
    prefer: 'max-affected=1',
  })
  t.match(
    late,
    { status: 400, body: { error: { details: { limit: 1, matched: 2 } } } },
    'one that came to match counts',
  )
  t.equal(await sql(`SELECT count(*)::int FROM tb_post WHERE id IN ('${POST(4)}', '${POST(5)}')`), 2)
  const moving = async (): Promise<void> => {
    await sql("UPDATE tb_post SET views = views + 1 WHERE title = 'Post 06'")
    meanwhile = { at: 'mutation:before', work: moving }
  }
  meanwhile = { at: 'mutation:before', work: moving }
  const { status, body, headers } = await send('PATCH', '/posts?title=Post 06', { body: 'x' })
  t.same([status, body.error.code, headers['retry-after']], [409, 'CONFLICT', '1'], 'it does not try for ever')
  meanwhile = null
})

const key = () => ({ 'idempotency-key': randomUUID() })
const users = () => sql('SELECT count(*)::int FROM tb_user')

t.test('Idempotency-Key: what is sent again is answered again, and done once', async (t) => {
  const before = Number(await users())
  const header = key()
  const body = { name: 'Ida', email: 'ida@example.org' }
  const first = await send('POST', '/users', body, header)
  const again = await send('POST', '/users', { email: body.email, name: body.name }, header)
  t.equal(first.status, 201)
  t.notOk('idempotency-replayed' in first.headers)
  t.same([again.status, again.text], [first.status, first.text], 'the order of members is no matter')
  t.same([again.headers['idempotency-replayed'], again.headers['idempotency-key']], ['true', 'replayed=true'])
  for (const name of ['location', 'content-type', 'cache-control'])
    t.equal(again.headers[name], first.headers[name], name)
  t.equal(await users(), before + 1)
  t.match(await send('POST', '/users', { ...body, age: 5 }, header), {
    status: 422,
    body: { error: { code: 'IDEMPOTENCY_CONFLICT', details: {} } },
  })
  t.equal(await line('POST', '/users?select=id', body, header), '422 IDEMPOTENCY_CONFLICT', 'another question')
  t.equal(
    await line('POST', `/posts/${POST(7)}/publish`, undefined, header),
    '200',
    'another route has keys of its own',
  )
  const taken = key()
  t.equal(await line('POST', '/users', body, taken), '409 CONFLICT')
  await sql("DELETE FROM tb_user WHERE email = 'ida@example.org'")
  t.equal(await line('POST', '/users', body, taken), '409 CONFLICT', 'a refusal is an answer, too')
  t.equal(await line('POST', '/users', body, { 'idempotency-key': 'mine' }), '400 BAD_REQUEST')
  t.equal(await line('POST', '/users', body, { 'idempotency-key': '' }), '400 BAD_REQUEST')
  const rows = key()
  const many = await send('POST', '/users', [{ name: 'M1' }, { name: 'M2' }], rows)
  t.same((await send('POST', '/users', [{ name: 'M1' }, { name: 'M2' }], rows)).headers['x-rows-affected'], '2')
  t.same((await send('POST', '/users', [{ name: 'M1' }, { name: 'M2' }], rows)).text, many.text)
  t.equal(await users(), before + 2)
})

t.test('keys of one caller are nothing to another', async (t) => {
  const before = Number(await users())
  const header = key()
  const tenants = [
    null,
    { subject: 'a' },
    { subject: 'b' },
    { subject: 'a', claims: { tenant_id: 2 } },
    { subject: 'a', claims: { iss: 'https://other' } },
    { subject: 'a', method: 'api-key' },
  ]
  const ids = new Set<string>()
  for (const caller of tenants) {
    const { status, body, headers } = await send('POST', '/users', { name: 'Own' }, { ...header, ...as(caller) })
    t.same([status, headers['idempotency-replayed']], [201, undefined], JSON.stringify(caller))
    ids.add(body.data.id)
  }
  t.equal(ids.size, tenants.length)
  t.equal(await users(), before + tenants.length)
})

t.test('a trial is not kept, nor what failed inside', async (t) => {
  const header = key()
  const body = { name: 'Try' }
  t.equal(await line('POST', '/users', body, { ...header, prefer: 'tx=rollback' }), '201')
  meanwhile = { at: 'mutation:before', work: () => Promise.reject(new Error('broken')) }
  t.equal(await line('POST', '/users', body, header), '500 INTERNAL_SERVER_ERROR')
  const { status, headers } = await send('POST', '/users', body, header)
  t.same([status, headers['idempotency-replayed']], [201, undefined])
})

/** Two of the same at once: the second comes while the first is under way. */
async function atOnce(t: TestLike, first: typeof send, second: typeof send): Promise<void> {
  const header = key()
  const body = { name: 'Twice' }
  const before = Number(await users())
  let second409: Awaited<ReturnType<typeof send>> | undefined
  meanwhile = {
    at: 'mutation:before',
    work: async () => {
      second409 = await second('POST', '/users', body, header)
    },
  }
  const done = await first('POST', '/users', body, header)
  t.same([second409?.status, second409?.body.error.code, second409?.headers['retry-after']], [409, 'CONFLICT', '1'])
  t.same((await second('POST', '/users', body, header)).text, done.text)
  t.equal(await users(), before + 1)
}

t.test('two at once: one does it', (t) => atOnce(t, send, send))

t.test('a client that goes away and comes back', async (t) => {
  const base = await app.listen()
  const header = key()
  const body = JSON.stringify({ name: 'Gone' })
  const before = Number(await users())
  const call = (signal?: AbortSignal) =>
    fetch(`${base}/rest/v1/users`, {
      method: 'POST',
      headers: { ...header, 'content-type': 'application/json' },
      body,
      ...(signal === undefined ? {} : { signal }),
    })
  const gone = new AbortController()
  const left = new Promise<void>((resolve) => {
    meanwhile = {
      at: 'mutation:before',
      work: async () => {
        gone.abort()
        resolve()
      },
    }
  })
  await Promise.all([call(gone.signal).catch(() => {}), left])
  let reply = await call()
  while (reply.status === 409) reply = await call()
  t.equal(reply.status, 201)
  t.equal(await users(), before + 1, 'it was done once, by whichever of the two')
})

t.test('several processes keep their answers in one store', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const { host, port } = SERVICES.redis
  const shared = { kvstore_url: `redis://${host}:${port}`, idempotency_ttl_seconds: 10 }
  const [one, other] = [sender(await openRest(shared)), sender(await openRest(shared))]
  await atOnce(t, one, other)
  const lost = sender(await openRest({ kvstore_url: 'redis://127.0.0.1:1' }))
  const refused = await lost('POST', '/users', { name: 'x' }, key())
  t.same([refused.status, refused.body.error.code], [503, 'SERVICE_UNAVAILABLE'], 'a store that is away is no licence')
  t.equal((await lost('POST', '/users', { name: 'x' })).status, 201, 'who asks for nothing of it is not held up')
})

// proves: mutation.upsert_function
t.test('Prefer: resolution merges rows that are there, or leaves them alone', async (t) => {
  await sql("INSERT INTO tb_user (name, email, age) VALUES ('Old', 'up@example.org', 1)")
  const rows = [
    { name: 'Up', email: 'up@example.org', age: 2 },
    { name: 'New', email: 'new@example.org' },
  ]
  const left = await send('POST', '/users?select=name', rows, { prefer: 'resolution=ignore-duplicates' })
  t.match(left, { status: 201, body: { data: [{ name: 'New' }] } })
  t.same(
    [left.headers['x-rows-affected'], left.headers['preference-applied']],
    ['1', 'resolution=ignore-duplicates'],
    'rows that were written are counted, and not calls',
  )
  const merged = await send('POST', '/users/bulk?select=name,age', rows, {
    prefer: 'resolution=merge-duplicates, return=minimal',
  })
  t.same([merged.status, merged.text, merged.headers['x-rows-affected']], [201, '', '2'])
  t.equal(await sql("SELECT name || age FROM tb_user WHERE email = 'up@example.org'"), 'Up2')
  t.equal(await line('POST', '/users', rows), '409 CONFLICT', 'without it a row that is there is one too many')
  const note = { id: 'c0000000-0000-4000-8000-000000000001', text: 'merged' }
  t.equal(await line('POST', '/notes', [note], { prefer: 'resolution=merge-duplicates' }), '201')
  t.equal(await line('POST', '/notes', [note], { prefer: 'resolution=ignore-duplicates' }), '400 BAD_REQUEST')
  t.equal(await line('POST', '/notes', note, { prefer: 'resolution=merge-duplicates' }), '400 BAD_REQUEST', 'no list')
  t.equal(await line('POST', '/posts', [], { prefer: 'resolution=merge-duplicates' }), '400 BAD_REQUEST', 'no function')
})

t.test('Location has the scheme that a proxy says, where one is believed', async (t) => {
  const proxies = entry(
    plugin(
      'rate-limiting',
      (scope) => {
        const scheme = (ctx: Exchange) => (ctx.headers['x-forwarded-proto'] === 'https' ? 'https' : null)
        scope.provide('clientAddress', { of: () => '', subscriberOf: () => '', scheme })
      },
      { provides: ['clientAddress'] },
    ),
  )
  const behind = sender(await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, { plugins: [restPlugin(), proxies] }))
  const locationOf = async (to: typeof send, headers: Headers) =>
    String((await to('POST', '/users', { name: 'At' }, { host: 'api.example.org', ...headers })).headers.location)
  t.match(await locationOf(behind, { 'x-forwarded-proto': 'https' }), /^https:\/\/api\.example\.org\/rest\/v1\/users\//)
  t.match(await locationOf(behind, {}), /^http:/)
  t.match(await locationOf(send, { 'x-forwarded-proto': 'https' }), /^http:/, 'nobody is believed')
})
