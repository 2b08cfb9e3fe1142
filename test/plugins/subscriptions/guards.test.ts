import { createHash, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient as createSseClient } from 'graphql-sse'
import t from 'tap'
import WebSocket from 'ws'
import observersPart from '../../../plugins/observers/compile.ts'
import part from '../../../plugins/subscriptions/compile.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { openProject } from '../../helpers/open-project.ts'
import { requireService } from '../../helpers/services.ts'
import { claims, hs256, nowSecs, SECRET } from '../jwt/who.ts'
import { CHANGED, connect, SHOP_SQL, shop, until } from './shop.ts'

/** What guards requests guards what lasts: tokens that end, revocation, limits and stored documents, as the service has them. */
t.setTimeout(120_000)

const TOML = (url: string): string => `
[database]
url = "${url}"
[server]
host = "127.0.0.1"
port = 0
[plugins]
preset = "full"
[security]
jwt_secret = "${SECRET}"
jwt_clock_skew_secs = 0
[security.token_revocation]
enabled = true
backend = "sqldb"
[svc.apq]
enabled = true
[validation]
max_query_depth = 2
`
const DEEP = '{ id buyer { name } }'
const token = (more: object = {}): string => hs256(claims({ sub: 'ann', jti: randomUUID(), iat: nowSecs(), ...more }))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Over {
  results: unknown[]
  errors: unknown
  isOver: boolean
}

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SHOP_SQL })
  const authored = shop([CHANGED])
  const database = await openTestDatabase(t, { kind: 'postgres', url })
  const compiled = compileArtifact(authored, await readCatalogFor(authored, database), {
    dialect: database.dialect,
    parts: [
      { plugin: 'observers', part: observersPart as never, options: { allow_hosts: [], handlers: [] } },
      { plugin: 'subscriptions', part: part as never, options: {} },
    ],
  })
  const folder = t.testdir()
  writeFileSync(join(folder, 'svc.toml'), TOML(url))
  const app = await openProject(t, folder, {}, compiled)
  const service = { url: String(await app.listen()) }

  const place = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${token()}` }
    const body = { query: 'mutation { placeOrder(customer: "ann") { id } }' }
    const { status, text } = await app.inject({ method: 'POST', url: '/graphql', headers, body })
    if (status !== 200) throw new Error(text)
  }

  /** The same over a WebSocket and as server-sent events. */
  const ways: Record<string, (bearer: string, payload: object) => Over & { closed: unknown[] }> = {
    WebSocket(bearer, payload) {
      const over: Over & { closed: unknown[] } = { results: [], errors: null, isOver: false, closed: [] }
      const on = {
        closed: (event: unknown) => {
          const { code, reason } = event as { code: number; reason: string }
          over.closed.push(`${code} ${reason}`)
        },
      }
      const client = connect(t, service, { authorization: `Bearer ${bearer}` }, '/ws', { on })
      client.subscribe(payload as never, {
        next: (result) => void over.results.push(result),
        error: (errors) => Object.assign(over, { errors, isOver: true }),
        complete: () => Object.assign(over, { isOver: true }),
      })
      return over
    },
    SSE(bearer, payload) {
      const over: Over & { closed: unknown[] } = { results: [], errors: null, isOver: false, closed: [] }
      const headers = { authorization: `Bearer ${bearer}` }
      const client = createSseClient({ url: `${service.url}/graphql/stream`, headers, retryAttempts: 0 })
      t.teardown(() => client.dispose())
      client.subscribe(payload as never, {
        next: (result) => {
          const { errors } = result as { errors?: unknown }
          if (errors === undefined) over.results.push(result)
          else over.errors = errors
        },
        error: (errors) => Object.assign(over, { errors, isOver: true }),
        complete: () => Object.assign(over, { isOver: true }),
      })
      return over
    },
  }

  for (const [name, ask] of Object.entries(ways)) {
    t.test(name, async (t) => {
      const query = 'subscription { orderChanged { customer } }'

      await t.test('ends with its token', async (t) => {
        const short = ask(token({ exp: nowSecs() + 3 }), { query })
        const long = ask(token(), { query })
        await until(async () => {
          if (short.results.length === 0 || long.results.length === 0) await place()
          return short.results.length > 0 && long.results.length > 0
        }, 'both are told')
        await until(() => short.isOver, 'it ends')
        t.notMatch(JSON.stringify(short.errors), /extensions/, 'no error of the operation')
        if (name === 'WebSocket') {
          await until(() => short.closed.length > 0, 'it is closed')
          t.same(short.closed, ['4403 The token has expired.'])
        }
        const count = long.results.length
        await place()
        await until(() => long.results.length > count, 'the other goes on')
        t.equal(long.isOver, false)
      })

      await t.test('ends when its token is revoked', async (t) => {
        const bearer = token()
        const [one, other] = [ask(bearer, { query }), ask(token(), { query })]
        await until(async () => {
          if (one.results.length === 0 || other.results.length === 0) await place()
          return one.results.length > 0 && other.results.length > 0
        }, 'it is told')
        const headers = { authorization: `Bearer ${bearer}` }
        const reply = await app.inject({ method: 'POST', url: '/auth/revoke', headers, body: { token: bearer } })
        t.equal(reply.status, 200)
        await until(() => one.isOver, 'it ends')
        t.notMatch(JSON.stringify(one.errors), /extensions/, 'no error of the operation')
        if (name === 'WebSocket') {
          await until(() => one.closed.length > 0, 'it is closed')
          t.match(one.closed, [/^4403 /])
        }
        const [last, count] = [one.results.length, other.results.length]
        await place()
        await until(() => other.results.length > count, 'the other goes on')
        t.equal(one.results.length, last, 'and is told nothing')
        const again = ask(bearer, { query })
        await until(() => again.isOver, 'nor is it let in again')
        t.same(again.results, [])
      })

      await t.test('limits of documents hold', async (t) => {
        for (const text of [`subscription { orderChanged ${DEEP} }`, `{ orders ${DEEP} }`]) {
          const deep = ask(token(), { query: text })
          await until(() => deep.isOver, 'it is refused')
          t.match(JSON.stringify(deep.errors), /depth/i, text)
          t.same(deep.results, [])
        }
      })

      await t.test('stored documents, by their hash', async (t) => {
        const stored = `subscription { orderChanged { ${name === 'SSE' ? 'id' : 'total'} } }`
        const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(stored) } }
        const unknown = ask(token(), { query: '', extensions })
        await until(() => unknown.isOver, 'nobody knows it')
        t.match(JSON.stringify(unknown.errors), /PERSISTED_QUERY_NOT_FOUND/)
        for (const payload of [
          { query: stored, extensions },
          { query: '', extensions },
        ]) {
          const known = ask(token(), payload)
          await until(async () => {
            if (known.results.length === 0) await place()
            return known.results.length > 0 || known.isOver
          }, 'it is told')
          t.match(known.results, [{ data: { orderChanged: {} } }], JSON.stringify(payload))
        }
        const wrong = ask(token(), { query: '{ orders { id } }', extensions })
        await until(() => wrong.isOver, 'it is refused')
        t.match(JSON.stringify(wrong.errors), /hash/i)
      })
    })
  }

  t.test('the client of the legacy protocol has stored documents, too', async (t) => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/subscriptions`, ['graphql-ws'])
    t.teardown(() => socket.terminate())
    const told: string[] = []
    socket.on('message', (data) => told.push(String(data)))
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${token()}` } }))
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256('{ orders { total } }') } }
    socket.send(JSON.stringify({ id: '1', type: 'start', payload: { extensions } }))
    await until(() => told.some((text) => text.includes('PERSISTED_QUERY_NOT_FOUND')), 'it is told')
    socket.send(JSON.stringify({ id: '2', type: 'start', payload: { query: '{ orders { total } }', extensions } }))
    await until(() => told.some((text) => text.includes('"data":{"orders"')), 'it is stored')
    socket.send(JSON.stringify({ id: '3', type: 'start', payload: { extensions } }))
    await until(() => told.some((text) => text.includes('"id":"3","type":"data"')), 'and known')
  })
}
