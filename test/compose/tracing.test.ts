import t from 'tap'
import type { Exchange, Operation } from '../../core/doors/plugin.ts'
import type {} from '../../plugins/graphql/api.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { NOTES, openComposed } from './compose-app.ts'

/** The core of a tracing plugin, from outside: spans of every part, with the SQL text, under the request they are of. */

interface Span {
  readonly name: string
  readonly of: object | null
  readonly failed?: boolean
}

t.test('spans of a request', async (t) => {
  const spans: Span[] = []
  const open = (name: string, of: object | null, next: () => unknown): unknown => {
    const span: Span = { name, of }
    spans.push(span)
    const failed = () => void Object.assign(span, { failed: true })
    try {
      const out = next()
      if (out instanceof Promise) out.catch(failed)
      return out
    } catch (error) {
      failed()
      throw error
    }
  }
  const tracing = plugin(
    'tracing',
    (scope) => {
      scope.observe({
        exchange: (ctx, next) => open('request', ctx, next),
        handler: (ctx, { method, path }, next) => open(`${method} ${path}`, ctx, next),
        operation: (ctx, operation, next) => open(operation.template.kind, ctx, next),
        engine: (ctx, _operation, next) => open('engine', ctx, next),
        plan: ({ exchange, kind }, next) => open(`plan ${kind}`, exchange, next),
        statement: ({ exchange, statement, within }, next) =>
          open(
            `${within ? '· ' : ''}${statement?.text.replace(/\s+/g, ' ').slice(0, 20) ?? 'transaction'}`,
            exchange,
            next,
          ),
      })
      scope.on('graphql:prepare', (ctx, _request, next) => open('prepare', ctx, next) as Operation | Promise<Operation>)
    },
    { after: ['graphql'] },
  )
  const hooked = plugin('hooked', (scope) => scope.on('mutation:after', () => {}))
  const app = await openComposed(t, [entry(tracing), entry(hooked)])
  const take = () => {
    const taken = spans.splice(0)
    t.equal(new Set(taken.map(({ of }) => of)).size, 1, 'all of them are of one request')
    t.equal(typeof (taken[0]?.of as Exchange | undefined)?.id, 'string')
    return taken.map(({ name, failed }) => (failed === true ? `${name}!` : name))
  }
  const query = ['request', 'POST /graphql', 'prepare', 'query', 'engine']
  await app.graphql(NOTES)
  t.match(take(), [...query, 'plan read', /^SELECT/])
  await app.graphql(NOTES)
  t.match(take(), [...query, /^SELECT/], 'a plan that is kept is not made again')
  t.equal((await app.graphql('{ nots { body } }')).status, 200)
  t.strictSame(take(), ['request', 'POST /graphql', 'prepare!'])
  await app.graphql('{ notes(limit: -1) { body } }')
  t.match(take(), [...query, 'plan read!'], 'what cannot be planned')
  await app.graphql('mutation { addNote(body: "x") }')
  const write = ['request', 'POST /graphql', 'prepare', 'mutation', 'engine', 'plan write', 'transaction']
  t.match(take(), [...write, /^· SELECT/], 'statements of a transaction, within it')
})
