import t from 'tap'
import { pluginOf } from '../../core/base/errors/blame.ts'
import { SvcError } from '../../core/base/errors/svc-error.ts'
import type { Result } from '../../core/contract/result.ts'
import type { Scope } from '../../core/contract/scope.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { chainOf, NOTES, openComposed } from './compose-app.ts'

/** `resolve` (around): a cache in front of the engine, with others around it; `afterCommit` empties it. */
const ADD = 'mutation ($body: String!) { addNote(body: $body) }'

/** Keeps the answers of documents without variables until something is written. */
function cache(scope: Scope): void {
  const kept = new Map<object, Result>()
  scope.on('resolve', async (_ctx, { template, variables }, next) => {
    if (template.kind !== 'query' || Object.keys(variables).length > 0) return next()
    const hit = kept.get(template)
    if (hit !== undefined) return hit
    const result = await next()
    if (result.errors === null) kept.set(template, result)
    return result
  })
  scope.on('afterCommit', () => kept.clear())
}

/** Counts what comes by. */
const counter = (name: string, seen: string[]) => (scope: Scope) =>
  scope.on('resolve', (_ctx, _operation, next) => {
    seen.push(name)
    return next()
  })

t.test('a cache in front of the engine: inside of authorize, around what depends on it', async (t) => {
  const seen: string[] = []
  const app = await openComposed(t, [
    entry(plugin('inside', counter('inside', seen), { dependencies: ['cache'] })),
    entry(plugin('cache', cache)),
    entry(plugin('outside', counter('outside', seen), { before: ['cache'] })),
    entry(
      plugin('guard', (scope) =>
        scope.on('authorize', (ctx) => {
          if (ctx.headers['x-deny'] !== undefined) throw new SvcError('FORBIDDEN', 'no')
        }),
      ),
    ),
  ])
  t.strictSame(chainOf(app, 'resolve'), ['outside', 'cache', 'inside'])
  const FIRST = { notes: [{ body: 'first' }] }
  const ask = async (query: string, variables?: object, headers?: Record<string, string>) => {
    seen.length = 0
    const { data, errors } = await app.graphql(query, variables, headers)
    return { data, errors, seen: [...seen] }
  }
  t.strictSame(await ask(NOTES), { data: FIRST, errors: undefined, seen: ['outside', 'inside'] })
  t.strictSame(await ask(NOTES), { data: FIRST, errors: undefined, seen: ['outside'] }, 'a hit stops at the cache')
  const denied = await ask(NOTES, undefined, { 'x-deny': '1' })
  t.match(denied, { data: undefined, errors: [{ message: /^no$/ }] })
  t.strictSame(denied.seen, [])

  await app.database.script("INSERT INTO tb_note (body) VALUES ('unseen')")
  t.strictSame((await ask(NOTES)).data, FIRST, 'nobody told the cache')
  t.strictSame(await ask(ADD, { body: 'told' }), {
    data: { addNote: true },
    errors: undefined,
    seen: ['outside', 'inside'],
  })
  t.strictSame(await ask(NOTES), {
    data: { notes: [{ body: 'first' }, { body: 'unseen' }, { body: 'told' }] },
    errors: undefined,
    seen: ['outside', 'inside'],
  })
})

t.test('a plugin may answer, change an answer, or fail; each is attributed', async (t) => {
  const app = await openComposed(t, [
    entry(
      plugin('rewrite', (scope) =>
        scope.on('resolve', async (ctx, _operation, next) => {
          const result = await next()
          return ctx.headers['x-rewrite'] === undefined ? result : { data: '{"notes":[]}', errors: null }
        }),
      ),
    ),
    entry(
      plugin('broken', (scope) =>
        scope.on('resolve', (ctx, _operation, next) => {
          if (ctx.headers['x-broken'] === 'plain') throw new Error('secret of the plugin')
          if (ctx.headers['x-broken'] === 'ours') throw new SvcError('TEAPOT', 'short and stout')
          return next()
        }),
      ),
    ),
  ])
  t.strictSame((await app.graphql(NOTES, undefined, { 'x-rewrite': '1' })).data, { notes: [] })
  t.match(await app.graphql(NOTES, undefined, { 'x-broken': 'ours' }), {
    errors: [{ message: 'short and stout', extensions: { code: 'TEAPOT', statusCode: 422 } }],
  })
  const reply = await app.graphql(NOTES, undefined, { 'x-broken': 'plain' })
  t.match(reply, { errors: [{ message: 'An internal error occurred.' }] })
  t.notMatch(JSON.stringify(reply), /secret/)
  const signal = app.signals.findLast(({ type }) => type === 'request-failed')
  t.equal(signal?.type === 'request-failed' && pluginOf(signal.error), 'broken')
})

t.test(
  'afterCommit: all hear of it, one that fails is reported, the client and the others do not notice',
  async (t) => {
    const heard: string[] = []
    const listen = (name: string) => (scope: Scope) =>
      scope.on('afterCommit', async ({ writes }) => {
        if (name === 'faulty') throw new Error('cannot')
        heard.push(`${name} ${writes.map(({ mutation }) => mutation)}`)
      })
    const app = await openComposed(
      t,
      ['one', 'faulty', 'two'].map((name) => entry(plugin(name, listen(name)))),
    )
    t.match(await app.graphql(ADD, { body: 'x' }), { status: 200, data: { addNote: true } })
    await app.graphql(NOTES)
    t.strictSame(heard, ['one addNote', 'two addNote'], 'a query commits nothing')
    t.match(
      app.signals.filter(({ type }) => type === 'after-commit-failed'),
      [{ plugin: 'faulty', error: { message: 'cannot' } }],
    )
  },
)
