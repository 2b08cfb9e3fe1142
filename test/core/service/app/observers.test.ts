import t from 'tap'
import type { Scope } from '../../../../core/contract/scope.ts'
import graphql from '../../../../plugins/graphql/index.ts'
import { createBareApp } from '../../../helpers/bare-app.ts'
import { boot, entry, failure, plugin } from '../../../helpers/kernel.ts'
import { linkShop } from '../../../plugins/graphql/shop.ts'

/** Says when each part begins and ends. */
const tracer = (seen: string[]) => (scope: Scope) => {
  const span = (name: string, next: () => unknown) => {
    seen.push(`${name} {`)
    Promise.resolve(next()).finally(() => seen.push(`} ${name}`))
  }
  scope.on('authenticate', async () => undefined)
  scope.on('resolve', (_ctx, _operation, next) => {
    seen.push('resolve')
    return next()
  })
  scope.observe({
    exchange: (ctx, next) => span(`exchange ${ctx.transport}`, next),
    authenticate: (_ctx, next) => span('authenticate', next),
    handler: (_ctx, { method, path }, next) => span(`handler ${method ?? '-'} ${path ?? '-'}`, next),
    operation: (_ctx, { template }, next) => span(`operation ${template.kind}`, next),
    engine: (_ctx, _operation, next) => span('engine', next),
    statement: ({ exchange, statement }, next) =>
      span(`statement ${exchange !== null} ${/^SELECT/.test(statement?.text ?? '')}`, next),
  })
}

t.test('an observer sees every part of a request, from around it', async (t) => {
  const seen: string[] = []
  let scope = null as Scope | null
  const tracing = plugin('tracing', (given) => {
    scope = given
    tracer(seen)(given)
  })
  const app = await createBareApp(t, {
    schema: linkShop(),
    defaultPolicy: 'public',
    plugins: [entry(graphql), entry(tracing)],
  })
  await app.inject({ url: '/graphql', body: { query: '{ users { id } }' } })
  await new Promise((done) => setImmediate(done))
  t.strictSame(seen.splice(0), [
    'exchange http {',
    'authenticate {',
    '} authenticate',
    'handler POST /graphql {',
    'operation query {',
    'resolve',
    'engine {',
    'statement true true {',
    '} statement true true',
    '} engine',
    '} operation query',
    '} handler POST /graphql',
    '} exchange http',
  ])
  await scope!.pipeline.enter({ transport: 'stdio', auth: null }, () => ({ status: 204, headers: {}, body: null }))
  await new Promise((done) => setImmediate(done))
  t.strictSame(seen, ['exchange stdio {', 'handler - - {', '} handler - -', '} exchange stdio'])
  t.match(
    app.kernel
      .describe()
      .hooks.filter(({ kind }) => kind === 'observe')
      .map(({ stage }) => stage),
    ['exchange', 'authenticate', 'handler', 'operation', 'engine', 'statement'],
  )
})

t.test('an unknown part, or no function, is refused with the nearest name', async (t) => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [{ statements() {} }, /observes the unknown part "statements". Did you mean "statement"\?.* Parts: exchange/],
    [{ engine: 1 }, /observes "engine" with a value that is no function \(number\)/],
    [null, /observes with a value that is none/],
  ]
  for (const [observer, message] of wrong) {
    const error = await failure(() => boot([plugin('p', (scope) => scope.observe(observer as never))]))
    t.match(error, { code: 'SVC_BOOT_FAILED', message })
  }
})
