import fastifyPlugin from 'fastify-plugin'
import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { CommittedWrite } from '../../../core/contract/committed-write.ts'
import type { Config } from '../../../core/contract/config.ts'
import type { Scope } from '../../../core/contract/scope.ts'
import { emptySchema, testOperation, testPlugin } from '../../../core/testing/testing.ts'
import { failure, plugin } from '../../helpers/kernel.ts'

const hello = plugin('hello', (scope, options: { readonly name: string }) => {
  scope.route({
    method: 'GET',
    path: '/hello',
    handler: () => ({ status: 200, headers: {}, body: `hello ${options.name}` }),
  })
  scope.route({
    method: 'GET',
    path: '/broken',
    handler: () => {
      throw new Error('out of paint')
    },
  })
})
const named = plugin('hello', hello.setup as never, {
  options: { properties: { name: { type: 'string', default: 'world' } } },
})

t.test('routes answer without a socket; options have their defaults', async (t) => {
  const tested = await testPlugin(named)
  const response = await tested.inject({ url: '/hello' })
  t.equal(response.status, 200)
  t.equal(response.text, 'hello world')
  t.same(
    tested.signals.map(({ type }) => type),
    ['generation-loaded'],
  )
  await tested.close()
})

t.test('a report that the test does not take fails the test at close', async (t) => {
  const tested = await testPlugin(named)
  t.equal((await tested.inject({ url: '/broken' })).status, 500)
  const error = await failure(() => tested.close())
  t.match(error.message, 'unexpected problems:\n  - request-failed')
  t.match(error.message, 'out of paint')

  const expecting = await testPlugin(named)
  await expecting.inject({ url: '/broken' })
  t.match(expecting.takeReported(), [{ type: 'request-failed', error: { message: 'out of paint' } }])
  t.same(expecting.takeReported(), [])
  await expecting.close()
})

t.test('every way to report counts', async (t) => {
  const tested = await testPlugin(
    plugin('noisy', (scope) => {
      scope.log.debug({}, 'quiet')
      scope.log.info({}, 'quiet')
      scope.log.warn({}, 'careful')
      scope.log.error({}, 'broken')
      scope.signals.emit({ type: 'warning', plugin: 'noisy', message: 'hm' })
      scope.signals.emit({ type: 'prepared-statements-off', reason: 'pooler' })
      scope.on('afterCommit', () => {
        throw new SvcError('CONFLICT', 'lost')
      })
    }),
  )
  tested.hooks.afterCommit?.({} as never)
  const { message } = await failure(() => tested.close())
  t.same(message.split('\n').slice(1), [
    '  - warn: careful',
    '  - error: broken',
    '  - warning: hm',
    '  - prepared-statements-off',
    '  - after-commit-failed: CONFLICT SvcError: lost',
  ])
})

t.test('commit fires the afterCommit hooks and waits for them', async (t) => {
  const heard: unknown[] = []
  const tested = await testPlugin(
    plugin('listener', (scope) => {
      scope.on('afterCommit', async ({ exchange, operation, writes }) => {
        await new Promise((resolve) => setImmediate(resolve))
        heard.push([exchange.auth?.subject ?? null, operation.template.kind, ...writes])
        if (writes[0]?.mutation === 'drop') throw new Error('no')
      })
    }),
  )
  await tested.commit([{ mutation: 'createPost', kind: 'CREATE', entityId: '7' }])
  const nothing = { entityType: null, entity: null, before: null, updatedFields: null, cascade: null }
  const [[subject, kind, { id, time, ...write }]] = heard as [[string | null, string, CommittedWrite]]
  t.strictSame(
    [subject, kind, write],
    [null, 'mutation', { mutation: 'createPost', kind: 'CREATE', entityId: '7', ...nothing }],
  )
  t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  t.equal(new Date(time).toISOString(), time)
  const auth = { subject: 'ada', claims: {}, scopes: [], roles: [], method: 'test' }
  await tested.commit([{ mutation: 'drop' }], { exchange: tested.exchange({ auth }) })
  t.match(heard[1], ['ada', 'mutation', { mutation: 'drop', kind: 'CUSTOM' }])
  t.match(tested.takeReported(), [{ type: 'after-commit-failed', plugin: 'listener' }])
  await tested.close()

  const silent = await testPlugin(plugin('silent', () => {}))
  await silent.commit([{ mutation: 'a' }])
  await silent.close()
})

t.test('the moments of a mutation run as in its transaction', async (t) => {
  const heard: unknown[] = []
  const tested = await testPlugin(
    plugin('moments', (scope) => {
      scope.on('mutation:before', async ({ id }, { mutation, kind, dryRun, arguments: given, session }) => {
        heard.push([id, mutation, kind, dryRun, given])
        if (mutation === 'look') await session.query({ name: null, text: 'SELECT 1' }, [])
      })
      scope.on('mutation:after', (_exchange, { mutation }, writes) => {
        heard.push([mutation, writes.map(({ kind }) => kind)])
        throw new SvcError('TOO_LATE', 'no')
      })
    }),
  )
  await tested.before({ mutation: 'a', kind: 'UPDATE', arguments: { id: 1 } }, tested.exchange({ id: 'x' }))
  await t.rejects(tested.before({ mutation: 'look' }), { message: /give `session`/ })
  await t.rejects(tested.after({ mutation: 'b', dryRun: true }, [{ mutation: 'b' }]), { code: 'TOO_LATE' })
  t.same(heard, [
    ['x', 'a', 'UPDATE', false, { id: 1 }],
    ['test', 'look', 'CUSTOM', false, {}],
    ['b', ['CUSTOM']],
  ])
  await tested.close()
})

t.test('operations run through authorize and resolve; the innermost can be given', async (t) => {
  const tested = await testPlugin(
    plugin('guard', (scope) => {
      scope.on('authorize', (exchange) => {
        if (exchange.auth === null) throw new SvcError('UNAUTHENTICATED', 'who are you?')
      })
      scope.on('resolve', async (_exchange, _operation, next) => {
        const result = await next()
        return { ...result, data: `[${result.data}]` }
      })
    }),
    { resolve: (_exchange, { variables }) => ({ data: JSON.stringify(variables), errors: null }) },
  )
  const operation = testOperation({ kind: 'query', name: 'Q' }, { id: 1 })
  await t.rejects(async () => tested.run(tested.exchange(), operation), { code: 'UNAUTHENTICATED' })
  const auth = { subject: 'a', claims: {}, scopes: [], roles: [], method: 'test' }
  t.match(await tested.run(tested.exchange({ auth }), operation), { data: '[{"id":1}]' })
  await tested.close()
  const plain = await testPlugin(plugin('nothing'))
  t.match(await plain.run(plain.exchange(), testOperation()), { data: /^\{\}$/, errors: null })
  await plain.close()
})

t.test('dependencies, schema, config and database are handed in', async (t) => {
  const seen: unknown[] = []
  const box: { scope?: Scope } = {}
  const database = { kind: 'test' } as never
  const other = plugin('other', (_scope, options) => seen.push(options), {
    options: { properties: { n: { type: 'integer' } } },
  })
  const foreign = (fastifyPlugin as unknown as (fn: unknown, meta: object) => () => unknown)(async () => {}, {
    name: 'foreign',
  })
  const tested = await testPlugin(
    plugin(
      'main',
      (scope) => {
        box.scope = scope
        seen.push(scope.config)
      },
      { dependencies: ['other', 'foreign'] },
    ),
    {
      dependencies: [{ plugin: other, options: { n: 1 } }, foreign],
      schema: { hash: 'mine' },
      config: { server: { port: 1 } },
      database,
    },
  )
  t.same(seen[0], { n: 1 })
  const config = seen[1] as Config
  t.match(config, { project: { name: 'my-svc-app' }, server: { host: '127.0.0.1', port: 1, tls: { enabled: false } } })
  t.ok(Object.isFrozen(config) && Object.isFrozen(config.server.tls))
  t.equal(tested.kernel.generation.hash, 'mine')
  t.equal(tested.exchange().generation, tested.kernel.generation)
  t.equal(box.scope!.database(), database)
  await tested.close()
  t.ok(emptySchema().types.has('String'), 'built-in scalars are there')
})

t.test('a value that is not a plugin, or misses its dependency, does not boot', async (t) => {
  await t.rejects(
    testPlugin(() => {}),
    { code: 'SVC_PLUGIN_INVALID', message: /a plain function/ },
  )
  await t.rejects(testPlugin(plugin('a', undefined, { dependencies: ['b'] })), {
    code: 'SVC_BOOT_FAILED',
    message: /needs plugin "b"/,
  })
})
