import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { pluginOf } from '../../core/base/errors/blame.ts'
import { SvcError } from '../../core/base/errors/svc-error.ts'
import type { PublicError, PublicErrorSource } from '../../core/contract/public-error.ts'
import type { Scope } from '../../core/contract/scope.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import type { TestLike } from '../helpers/services.ts'
import { openBareShop } from '../plugins/graphql/open-bare-shop.ts'

/** `error:public`: what one hook changes, it changes on every front. */

type Hook = (shown: PublicError, source: PublicErrorSource) => PublicError | undefined

const SECRET = 'password authentication failed for host db.internal'
const failing = plugin('failing', (scope) => {
  const fail = (): never => {
    throw new Error(SECRET)
  }
  scope.route({ method: 'GET', path: '/fails', handler: fail })
  scope.route({
    method: 'GET',
    path: '/refuses',
    handler: () => {
      throw new SvcError('FORBIDDEN', 'Not you.', { details: { need: 'admin' } })
    },
  })
  scope.on('authorize', fail)
})

async function openHooked(t: TestLike, ...hooks: Hook[]) {
  let scope = null as Scope | null
  const watching = hooks.map((hook, i) =>
    entry(
      plugin(`hook-${i}`, (given) => {
        scope = given
        given.on('error:public', hook)
      }),
    ),
  )
  const app = await openBareShop(t, [entry(failing), ...watching], { defaultPolicy: 'public' })
  const enter = (body: () => never) => scope!.pipeline.enter({ transport: 'stdio' }, body)
  return { app, enter, url: await app.listen() }
}

/** What the client gets for bytes that are no HTTP. */
async function sendGarbage(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write('what is this\r\n\r\n')
  return text(socket)
}

t.test('every front tells what the hooks made of it, one after the other', async (t) => {
  const sources: PublicErrorSource[] = []
  const { app, enter, url } = await openHooked(
    t,
    (shown, source) => {
      sources.push(source)
      return { ...shown, message: `1 ${shown.code}` }
    },
    () => undefined,
    (shown) => ({ ...shown, message: `${shown.message} 3` }),
  )
  const told: Record<string, { readonly status: number; readonly body: string }> = {}
  const fetched = async (name: string, path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init)
    told[name] = { status: response.status, body: await response.text() }
  }
  const query = (query: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query }),
  })
  await fetched('route', '/fails')
  await fetched('no route', '/nowhere')
  await fetched('long URL', `/${'x'.repeat(9000)}`)
  await fetched('GraphQL, denied', '/graphql', query('{ answer }'))
  await fetched('GraphQL, no document', '/graphql', query('{'))
  await fetched('GraphQL, no JSON', '/graphql', { ...query(''), body: '{' })
  const entered = await enter(() => {
    throw new Error(SECRET)
  })
  told.entered = { status: entered.status, body: String(entered.body) }
  const garbage = await sendGarbage(url)
  t.match(garbage, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*connection: close\r\n\r\n\{/)
  told.garbage = { status: 400, body: garbage }

  const internal = ['route', 'GraphQL, denied', 'entered']
  for (const [name, { status, body }] of Object.entries(told)) {
    t.notMatch(body, SECRET, name)
    t.match(body, /"message":"1 [A-Z_]+ 3"/, name)
    t.equal(/"errorId":"[0-9a-f-]{36}"/.test(body), internal.includes(name), name)
    t.equal(status, internal.includes(name) ? 500 : ({ 'no route': 404, 'long URL': 414 }[name] ?? 400), name)
  }
  t.equal(sources.length, Object.keys(told).length, 'each error is told once')
  t.match(sources[0], { error: { message: SECRET }, exchange: { pathname: '/fails' } })
  t.equal(sources.at(-1)!.exchange, null, 'what is no request has no exchange')
  const logged = app.signals.filter(({ type }) => type === 'request-failed')
  t.equal(logged.length, internal.length, 'the log has the truth')
})

t.test('status, code and details change too; an errorId stays, and nothing else goes along', async (t) => {
  const { url } = await openHooked(t, (shown, { error }) =>
    shown.status === 403
      ? { ...shown, code: 'NOT_FOUND', status: 404, details: {} }
      : // Spread in by mistake: stack and cause of the original are no keys of a public error.
        ({ ...(error as Error), ...shown, stack: (error as Error).stack, details: { kept: 1 } } as PublicError),
  )
  const hidden = await fetch(`${url}/refuses`)
  t.equal(hidden.status, 404)
  t.strictSame(await hidden.json(), { error: { code: 'NOT_FOUND', message: 'Not you.', details: {} } })
  const { error } = (await (await fetch(`${url}/fails`)).json()) as { error: Record<string, unknown> }
  t.strictSame(Object.keys(error), ['code', 'message', 'details'])
  t.match(error.details, { kept: 1, errorId: /^[0-9a-f-]{36}$/ })
})

t.test('hooks cannot change what they are shown', async (t) => {
  const { url } = await openHooked(t, (shown) => {
    for (const each of [shown, shown.details]) t.throws(() => Object.assign(each, { message: 'x', need: 'x' }))
    return undefined
  })
  const reply = await (await fetch(`${url}/refuses`)).json()
  t.strictSame(reply, { error: { code: 'FORBIDDEN', message: 'Not you.', details: { need: 'admin' } } })
})

t.test('a failing hook hides the error: the client gets the generic one, and the log names the plugin', async (t) => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const wrong: readonly (readonly [string, (shown: PublicError, source: PublicErrorSource) => unknown])[] = [
    ['throws', () => assertNever()],
    [
      'throws the original on',
      (_shown, { error }) => {
        throw error
      },
    ],
    ['gives a promise', async (shown) => shown],
    ['gives a promise that fails', () => Promise.reject(new Error('late'))],
    ['gives a text', () => 'no'],
    ['gives null', () => null],
    ['has no code', (shown) => ({ ...shown, code: '' })],
    ['has no message', (shown) => ({ ...shown, message: undefined })],
    ['answers success', (shown) => ({ ...shown, status: 200 })],
    ['has a status that is none', (shown) => ({ ...shown, status: 404.5 })],
    ['has no details', (shown) => ({ ...shown, details: null })],
    ['has a list of details', (shown) => ({ ...shown, details: [] })],
    ['has details that are no JSON', (shown) => ({ ...shown, details: cyclic })],
    ['has a BigInt', (shown) => ({ ...shown, details: { n: 1n } })],
    ['waits for what is no number', (shown) => ({ ...shown, retryAfter: Number.NaN })],
  ]
  for (const [name, hook] of wrong) {
    await t.test(name, async (t) => {
      const { app, url } = await openHooked(t, () => undefined, hook as Hook)
      const reply = await fetch(`${url}/refuses`)
      t.equal(reply.status, 500)
      const { error } = (await reply.json()) as { error: { details: { errorId: string } } }
      const { errorId } = error.details
      t.strictSame(error, {
        code: 'INTERNAL_SERVER_ERROR',
        message: 'An internal error occurred.',
        details: { errorId },
      })
      const failed = app.signals.filter((signal) => signal.type === 'request-failed')
      t.match(failed, [{ errorId, code: 'INTERNAL_SERVER_ERROR' }])
      t.equal(pluginOf(failed[0]!.error), 'hook-1')
      t.equal((await fetch(`${url}/refuses`)).status, 500, 'the process goes on')
    })
  }
})

t.test('an internal error whose hook fails keeps the errorId under which the log has it', async (t) => {
  const { app, url } = await openHooked(t, () => assertNever())
  const { error } = (await (await fetch(`${url}/fails`)).json()) as { error: { details: { errorId: string } } }
  const failed = app.signals.filter((signal) => signal.type === 'request-failed')
  t.match(failed, [{ error: { message: SECRET } }, { error: { message: /A hook of error:public failed/ } }])
  t.strictSame(new Set(failed.map(({ errorId }) => errorId)), new Set([error.details.errorId]))
})

t.test('a stage without hooks has no chain', async (t) => {
  const { app } = await openHooked(t)
  t.equal(app.kernel.hooks['error:public'], null)
})

function assertNever(): never {
  throw new Error('A fault of the hook.')
}
