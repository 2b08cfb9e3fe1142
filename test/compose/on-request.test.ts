import t from 'tap'
import { pluginOf } from '../../core/base/errors/blame.ts'
import { SvcError } from '../../core/base/errors/svc-error.ts'
import type { HookOptions } from '../../core/contract/hook-options.ts'
import type { Scope } from '../../core/contract/scope.ts'
import cors from '../../plugins/cors/index.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { chainOf, NOTES, openComposed } from './compose-app.ts'

/** `onRequest`: CORS with middleware of third parties around it and inside of it. */
const ORIGIN = 'https://app.example.com'
const corsEntry = entry(cors, { origins: [ORIGIN], credentials: true })

/** Notes that it was there, and stamps what comes back. */
const stamp =
  (name: string, seen: string[], options: HookOptions = {}) =>
  (scope: Scope) =>
    scope.on(
      'onRequest',
      async (ctx, next) => {
        seen.push(`${name} ${ctx.transport === 'http' ? ctx.method : ctx.transport}`)
        const reply = await next()
        reply.headers[`x-${name}`] = `${seen.length}`
        return reply
      },
      options,
    )

t.test('in one position dependencies decide who stands outside, whatever the order of the list', async (t) => {
  const seen: string[] = []
  const inside = entry(plugin('inside', stamp('inside', seen), { after: ['cors'] }))
  const outside = entry(plugin('outside', stamp('outside', seen, { position: 'guard' }), { before: ['cors'] }))
  for (const list of [
    [inside, corsEntry, outside],
    [outside, inside, corsEntry],
    [corsEntry, outside, inside],
  ]) {
    const app = await openComposed(t, list)
    t.strictSame(chainOf(app, 'onRequest'), ['outside', 'cors', 'inside'])
    seen.length = 0
    const reply = await app.graphql(NOTES, undefined, { origin: ORIGIN })
    t.strictSame(seen, ['outside POST', 'inside POST'])
    t.match(reply, {
      status: 200,
      data: { notes: [{ body: 'first' }] },
      headers: {
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
        'x-inside': /^2$/,
        'x-outside': /^2$/,
      },
    })
    seen.length = 0
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/graphql',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    })
    t.equal(preflight.status, 204)
    t.strictSame(seen, ['outside OPTIONS'], 'a preflight goes no further than to CORS')
    t.equal(preflight.headers['x-outside'], '1')
  }
})

t.test('a middleware that answers itself: CORS marks its answer, and nothing further inside runs', async (t) => {
  const seen: string[] = []
  const busy = plugin(
    'busy',
    (scope) =>
      scope.on('onRequest', (ctx, next) =>
        ctx.headers['x-busy'] === undefined ? next() : { status: 429, headers: { 'retry-after': '7' }, body: 'later' },
      ),
    { after: ['cors'] },
  )
  const app = await openComposed(t, [
    entry(plugin('inside', stamp('inside', seen), { after: ['busy'] })),
    entry(busy),
    corsEntry,
  ])
  const reply = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { origin: ORIGIN, 'x-busy': '1' },
    body: { query: NOTES },
  })
  t.match(reply, {
    status: 429,
    text: 'later',
    headers: {
      'retry-after': /^7$/,
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': /Retry-After/,
    },
  })
  t.strictSame(seen, [])
  t.match(await app.graphql(NOTES), { status: 200, data: { notes: [{}] } })
})

t.test('a middleware that fails: the answer has the shape of the front, the log has the name', async (t) => {
  const failing = plugin('failing', (scope) =>
    scope.on('onRequest', async (ctx, next) => {
      if (ctx.headers['x-fail'] === 'ours') throw new SvcError('FORBIDDEN', 'not from there')
      if (ctx.headers['x-fail'] === 'sync') throw new Error('secret of the plugin')
      const reply = await next()
      if (ctx.headers['x-fail'] === 'after') throw new Error('secret of the plugin')
      return reply
    }),
  )
  const app = await openComposed(t, [entry(failing), entry(plugin('inside', stamp('inside', [])))])
  t.match(await app.graphql(NOTES, undefined, { 'x-fail': 'ours' }), {
    status: 403,
    errors: [{ message: 'not from there', extensions: { code: 'FORBIDDEN', statusCode: 403 } }],
  })
  for (const when of ['sync', 'after']) {
    const reply = await app.graphql(NOTES, undefined, { 'x-fail': when })
    t.match(reply, {
      status: 500,
      errors: [
        { message: 'An internal error occurred.', extensions: { code: 'INTERNAL_SERVER_ERROR', errorId: String } },
      ],
    })
    t.notMatch(JSON.stringify(reply), /secret|failing/)
    const signal = app.signals.findLast(({ type }) => type === 'request-failed')
    t.equal(signal?.type === 'request-failed' && pluginOf(signal.error), 'failing')
  }
  const elsewhere = await app.inject({ url: '/nowhere', headers: { 'x-fail': 'ours' } })
  t.strictSame(
    [elsewhere.status, elsewhere.json()],
    [403, { error: { code: 'FORBIDDEN', message: 'not from there', details: {} } }],
  )
  t.match(await app.graphql(NOTES), { status: 200, data: { notes: [{}] } })
})

t.test('next() twice: refused under the name of the plugin; the operation ran once', async (t) => {
  const greedy = plugin('greedy', (scope) =>
    scope.on('onRequest', async (ctx, next) => {
      const reply = await next()
      return ctx.headers['x-greedy'] === undefined ? reply : next()
    }),
  )
  const app = await openComposed(t, [entry(greedy)])
  t.match(await app.graphql('mutation { addNote(body: "once") }', undefined, { 'x-greedy': '1' }), { status: 500 })
  const signal = app.signals.findLast(({ type }) => type === 'request-failed')
  t.match(signal, { error: { code: 'SVC_HOOK_NEXT_TWICE', message: /plugin "greedy"/ } })
  t.strictSame((await app.graphql(NOTES)).data, { notes: [{ body: 'first' }, { body: 'once' }] })
})

t.test('a middleware that throws: the browser may read the error all the same', async (t) => {
  const limiter = entry(
    plugin(
      'limiter',
      (scope) =>
        scope.on('onRequest', () => {
          throw new SvcError('CONFLICT', 'Too many at once.', { status: 429, retryAfter: 3 })
        }),
      { after: ['cors'] },
    ),
  )
  const app = await openComposed(t, [corsEntry, limiter])
  const reply = await app.inject({ url: '/nowhere', headers: { origin: ORIGIN } })
  t.match(reply, {
    status: 429,
    headers: { 'access-control-allow-origin': ORIGIN, vary: 'Origin', 'retry-after': /^3$/ },
  })
})
