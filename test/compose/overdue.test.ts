import t from 'tap'
import type { Scope } from '../../core/contract/scope.ts'
import { createPglite } from '../helpers/databases.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { openApp } from '../helpers/open-app.ts'
import { NOTES, NOTES_SCHEMA, NOTES_SQL } from './compose-app.ts'

// The embedded database is made first.
t.setTimeout(240_000)

const never = () => new Promise<never>(() => {})
const HEADER = 'x-hang'

/** Hangs where the request says, and passes everywhere else. */
const hanging = plugin('hanging', (scope: Scope) => {
  const hangsAt = (headers: Readonly<Record<string, unknown>>, stage: string): boolean => headers[HEADER] === stage
  scope.on('onRequest', (ctx, next) => (hangsAt(ctx.headers, 'onRequest') ? never() : next()))
  scope.on('authenticate', (ctx) => (hangsAt(ctx.headers, 'authenticate') ? never() : undefined))
  scope.on('authorize', (ctx) => (hangsAt(ctx.headers, 'authorize') ? never() : undefined))
  scope.on('resolve', (ctx, _operation, next) => (hangsAt(ctx.headers, 'resolve') ? never() : next()))
  scope.on('mutation:before', (ctx) => (hangsAt(ctx.headers, 'mutation:before') ? never() : undefined))
  scope.on('mutation:after', (ctx) => (hangsAt(ctx.headers, 'mutation:after') ? never() : undefined))
  scope.route({ method: 'GET', path: '/plain', handler: (ctx) => (hangsAt(ctx.headers, 'handler') ? never() : plain) })
})
const plain = { status: 200, headers: {}, body: 'plain' }

t.test('server.request_timeout_ms holds when a hook hangs, in every stage and in the shape of the front', async (t) => {
  const url = await createPglite(t, { sql: NOTES_SQL })
  const app = await openApp(t, { kind: 'pglite', url }, NOTES_SCHEMA, {
    plugins: [entry(hanging)],
    server: { request_timeout_ms: 1000, shutdown_grace_ms: 0, shutdown_timeout_ms: 200 },
  })
  const base = await app.listen()
  const ask = async (query: string, stage: string) => {
    const started = performance.now()
    const reply = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', [HEADER]: stage },
      body: JSON.stringify({ query }),
    })
    return { status: reply.status, body: await reply.json(), ms: performance.now() - started }
  }
  t.match(await ask(NOTES, 'nowhere'), { status: 200, body: { data: { notes: [{ body: 'first' }] } } })
  const add = 'mutation { addNote(body: "x") }'
  const timeout = { errors: [{ extensions: { code: 'TIMEOUT', statusCode: 504 } }] }
  for (const [stage, query] of [
    ['onRequest', NOTES],
    ['authenticate', NOTES],
    ['authorize', NOTES],
    ['resolve', NOTES],
    ['mutation:before', add],
    ['mutation:after', add],
  ] as const) {
    const { status, body, ms } = await ask(query, stage)
    t.match([status, body], [504, timeout], `${stage}: ${JSON.stringify(body)}`)
    t.ok(ms >= 1000 && ms < 6000, `${stage}: ${ms} ms`)
  }
  t.match(await ask(add, 'nowhere'), { status: 200, body: { data: { addNote: true } } })

  const handler = await fetch(`${base}/plain`, { headers: { [HEADER]: 'handler' } })
  t.match(
    [handler.status, await handler.json()],
    [504, { error: { code: 'TIMEOUT', details: { outcome: 'unknown' } } }],
  )
  const nowhere = await fetch(`${base}/nowhere`, { headers: { [HEADER]: 'onRequest' } })
  t.match([nowhere.status, await nowhere.json()], [504, { error: { code: 'TIMEOUT' } }])
  t.equal(await (await fetch(`${base}/plain`)).text(), 'plain', 'and it serves on')
})
