import t from 'tap'
import { pluginOf } from '../../core/base/errors/blame.ts'
import { SvcError } from '../../core/base/errors/svc-error.ts'
import type { Auth } from '../../core/contract/exchange.ts'
import type { Scope } from '../../core/contract/scope.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { chainOf, NOTES, OWN_NOTES, openComposed } from './compose-app.ts'

/** `authenticate` (first) and `authorize` (every) with two plugins each. */
const user = (subject: string, method: string): Auth => ({ subject, claims: {}, scopes: [], roles: [], method })

/** A plugin that takes credentials from one header: `bad` is refused, what is not there is not its own. */
const credential = (header: string, name: string, seen: string[]) => (scope: Scope) =>
  scope.on('authenticate', async (ctx) => {
    seen.push(name)
    const given = ctx.headers[header]
    if (typeof given !== 'string') return undefined
    if (given === 'bad') throw new SvcError('UNAUTHENTICATED', `The ${name} is not valid.`)
    if (given === 'broken') throw new Error('secret of the plugin')
    return user(given, name)
  })

t.test('authenticate: the first that knows the credential decides', async (t) => {
  const seen: string[] = []
  let who: Auth | null = null
  const app = await openComposed(t, [
    entry(plugin('key', credential('x-key', 'key', seen), { after: ['token'] })),
    entry(plugin('token', credential('authorization', 'token', seen))),
    entry(
      plugin('watch', (scope) =>
        scope.on('authorize', (ctx) => {
          who = ctx.auth
        }),
      ),
    ),
  ])
  t.strictSame(chainOf(app, 'authenticate'), ['token', 'key'])
  const ask = async (headers: Record<string, string>, query = OWN_NOTES) => {
    seen.length = 0
    who = null
    const { status, data, errors } = await app.graphql(query, undefined, headers)
    return { status, data, code: errors?.[0]?.extensions.code, message: errors?.[0]?.message, seen: [...seen], who }
  }
  const DATA = { ownNotes: [{ body: 'first' }] }
  t.match(await ask({ authorization: 'ann', 'x-key': 'k' }), { data: DATA, seen: ['token'], who: { subject: 'ann' } })
  t.match(await ask({ 'x-key': 'k' }), { data: DATA, seen: ['token', 'key'], who: { subject: /^k$/, method: 'key' } })
  t.match(await ask({}), {
    status: 200,
    data: undefined,
    code: 'UNAUTHENTICATED',
    message: 'Authentication required',
    seen: ['token', 'key'],
  })
  t.match(await ask({}, NOTES), { status: 200, data: { notes: [{}] }, who: null }, 'anonymous is nobody, not a refusal')
  t.match(
    await ask({ authorization: 'bad', 'x-key': 'k' }),
    { status: 401, code: 'UNAUTHENTICATED', message: 'The token is not valid.', seen: ['token'], who: null },
    'mine and bad: nobody else is asked',
  )
  t.match(await ask({ 'x-key': 'bad' }, NOTES), { status: 401, seen: ['token', 'key'] }, 'also where nobody is needed')
  t.match(await ask({ 'x-key': 'broken' }), { status: 500, message: 'An internal error occurred.' }, 'a fault denies')
  const signal = app.signals.findLast(({ type }) => type === 'request-failed')
  t.equal(signal?.type === 'request-failed' && pluginOf(signal.error), 'key')
  seen.length = 0
  t.equal((await app.inject({ url: '/health/live', headers: { authorization: 'bad' } })).status, 200)
  t.strictSame(seen, [], 'probes ask for no credential')
})

t.test('authorize: every hook runs, the first that throws denies', async (t) => {
  const seen: string[] = []
  const guard = (name: string) => (scope: Scope) =>
    scope.on('authorize', async (ctx, { template }) => {
      seen.push(`${name} ${template.kind}`)
      if (ctx.headers[`x-${name}`] === 'deny') throw new SvcError('FORBIDDEN', `${name} says no`)
      if (ctx.headers[`x-${name}`] === 'broken') throw new TypeError('secret of the plugin')
    })
  const app = await openComposed(t, [
    entry(plugin('second', guard('second'), { dependencies: ['first'] })),
    entry(plugin('first', guard('first'))),
  ])
  t.strictSame(chainOf(app, 'authorize'), ['scopes', 'first', 'second'])
  const ADD = 'mutation { addNote(body: "x") }'
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    seen.length = 0
    return app.graphql(query, undefined, headers)
  }
  t.match(await ask(NOTES), { data: { notes: [{ body: 'first' }] } })
  t.strictSame(seen, ['first query', 'second query'])

  t.match(await ask(ADD, { 'x-first': 'deny' }), {
    status: 200,
    errors: [{ message: 'first says no', extensions: { code: 'FORBIDDEN', statusCode: 403 } }],
  })
  t.strictSame(seen, ['first mutation'])
  t.match(await ask(ADD, { 'x-second': 'deny', accept: 'application/graphql-response+json' }), {
    status: 403,
    errors: [{ message: 'second says no' }],
  })
  t.strictSame(seen, ['first mutation', 'second mutation'])
  t.match(await ask(ADD, { 'x-second': 'broken' }), { errors: [{ message: 'An internal error occurred.' }] })
  const signal = app.signals.findLast(({ type }) => type === 'request-failed')
  t.equal(signal?.type === 'request-failed' && pluginOf(signal.error), 'second')
  t.strictSame((await ask(NOTES)).data, { notes: [{ body: 'first' }] }, 'nothing was written')

  t.match(await ask(OWN_NOTES), { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  t.strictSame(seen, [], "the kernel's own check comes first, whatever the plugins would say")
})
