import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { Auth, Exchange } from '../../../../core/contract/exchange.ts'
import type { Operation } from '../../../../core/contract/operation.ts'
import type { SessionConfig, SessionVariable } from '../../../../core/contract/session-variable.ts'
import { AccessCollector } from '../../../../core/engine/access/collect-access.ts'
import { createSessionVariables } from '../../../../core/engine/access/session-variables.ts'
import { createOperationRunner, type OperationStages } from '../../../../core/service/lifecycle/run-operation.ts'
import { testOperation } from '../../../../core/testing/testing.ts'

const variable = (name: string, rest: Partial<SessionVariable>): SessionVariable => ({
  name,
  source: 'jwt',
  required: false,
  ...rest,
})
const config = (
  variables: readonly SessionVariable[],
  database: SessionConfig['database'] = {},
  startedAt: boolean | null = false,
): SessionConfig => ({
  session_variables: { variables, ...(startedAt === null ? {} : { inject_started_at: startedAt }) },
  database,
})
const asker = (claims: Auth['claims'] | null, headers: Exchange['headers'] = {}) =>
  ({
    auth: claims === null ? null : { subject: 'ann', claims, scopes: [], roles: [], method: 'test' },
    headers,
  }) as unknown as Exchange
const outcome = (from: SessionConfig, exchange: Exchange): unknown => {
  try {
    return createSessionVariables(from)?.(exchange).map(({ name, value }) => `${name}=${value}`)
  } catch (error) {
    return error instanceof SvcError ? `${error.code}: ${error.message}` : error
  }
}

t.test('nothing configured is nothing', async (t) => {
  t.equal(createSessionVariables(config([], {}, null)), null)
  t.equal(createSessionVariables(config([], {}, false)), null)
  t.match(outcome(config([], {}, true), asker(null)), [/^svc\.started_at=\d{4}-\d\d-\d\dT[\d:.]+Z$/])
  const one = variable('app.a', { source: 'literal', value: 'x' })
  t.match(outcome(config([one], {}, null), asker(null)), ['app.a=x', /^svc\.started_at=/])
})

t.test('where values come from', async (t) => {
  const cases: readonly (readonly [
    Partial<SessionVariable>,
    claims: Auth['claims'] | null,
    Exchange['headers'],
    expected: unknown,
  ])[] = [
    [{ claim: 'tenant' }, { tenant: 'acme' }, {}, ['app.v=acme']],
    [{ claim: 'org.id' }, { org: { id: 7 } }, {}, ['app.v=7']],
    [{ claim: 'https://x/org.id' }, { 'https://x/org.id': true }, {}, ['app.v=true']],
    [{ claim: 'org."a.b".id' }, { org: { 'a.b': { id: 7 } } }, {}, ['app.v=7']],
    [{ claim: 'tags' }, { tags: ['a', { b: 1 }] }, {}, ['app.v=["a",{"b":1}]']],
    [{ claim: 'tenant' }, { tenant: '' }, {}, ['app.v=']],
    [{ claim: 'tenant' }, { tenant: null }, {}, []],
    [{ claim: 'tenant' }, {}, {}, []],
    [{ claim: 'toString' }, {}, {}, []],
    [{ claim: 'tenant' }, null, {}, []],
    [
      { claim: 'tenant', required: true },
      { tenant: null },
      {},
      'FORBIDDEN: The credential does not carry the claim "tenant".',
    ],
    [{ claim: 'tenant', required: true }, null, {}, 'UNAUTHENTICATED: This needs a credential.'],
    [
      { claim: 'tenant' },
      { tenant: 'a\0b' },
      {},
      'FORBIDDEN: The claim "tenant" holds a character that the database cannot take.',
    ],
    [{ source: 'header', header: 'X-Lang' }, null, { 'x-lang': 'de' }, ['app.v=de']],
    [{ source: 'header', header: 'X-Lang' }, null, { 'x-lang': ['de', 'fr'] }, ['app.v=de, fr']],
    [{ source: 'header', header: 'X-Lang' }, null, {}, []],
    [
      { source: 'header', header: 'X-Lang', required: true },
      null,
      {},
      'REQUEST_ERROR: The request needs the header "X-Lang".',
    ],
    [{ source: 'literal', value: false }, null, {}, ['app.v=false']],
  ]
  for (const [given, claims, headers, expected] of cases) {
    t.strictSame(outcome(config([variable('app.v', given)]), asker(claims, headers)), expected)
  }
})

t.test('the role comes last, and absence denies', async (t) => {
  const both = config([variable('app.v', { claim: 'tenant' })], { role_claim: 'db.role' })
  t.strictSame(outcome(both, asker({ tenant: 'a', db: { role: 'web' } })), ['app.v=a', 'role=web'])
  t.equal(outcome(both, asker({ tenant: 'a' })), 'FORBIDDEN: The credential does not carry the claim "db.role".')
  t.equal(outcome(both, asker(null)), 'UNAUTHENTICATED: This needs a credential.')
  for (const role of ['', 'none', 5, ['web'], {}]) {
    t.equal(outcome(both, asker({ db: { role } })), 'FORBIDDEN: The claim "db.role" does not name a role.')
  }
  const open = config([], { role_claim: 'role', anonymous_role: 'guest' })
  t.strictSame(outcome(open, asker(null)), ['role=guest'])
  t.equal(
    outcome(open, asker({})),
    'FORBIDDEN: The credential does not carry the claim "role".',
    'a credential is no guest',
  )
})

t.test('they go with the run, beside what hooks set', async (t) => {
  const seen: (Operation['access'] | undefined)[] = []
  const root = { kind: 'node' } as never
  const run = (
    stages: Partial<OperationStages>,
    exchange = asker({ tenant: 'acme' }),
    operation = testOperation({ roots: [root] }),
  ) => {
    seen.length = 0
    const runner = createOperationRunner({
      defaultPolicy: () => {},
      authorize: null,
      resolve: null,
      innermost: (_, operation) => {
        seen.push(operation.access)
        return { data: '{}', errors: null }
      },
      ...stages,
    })
    return runner(exchange, operation)
  }
  const sessionVariables = createSessionVariables(
    config([variable('app.tenant', { claim: 'tenant' })], { role_claim: 'tenant' }),
  )
  run({})
  t.equal(seen[0], undefined, 'no hook, no cost')
  run({ sessionVariables })
  t.strictSame(seen[0]?.settings, [
    { name: 'app.tenant', value: 'acme' },
    { name: 'role', value: 'acme' },
  ])
  for (const authorize of [
    (_: unknown, __: unknown, access: { set(name: string, value: string): void }) => access.set('app.user', 'ann'),
    async (_: unknown, __: unknown, access: { set(name: string, value: string): void }) =>
      access.set('app.user', 'ann'),
  ]) {
    await run({ sessionVariables, authorize })
    t.strictSame(
      seen[0]?.settings.map(({ name }) => name),
      ['app.user', 'app.tenant', 'role'],
    )
  }
  t.throws(() => run({ sessionVariables, authorize: (_, __, access) => access.set('APP.tenant', 'other') }), {
    code: 'SVC_ACCESS_INVALID',
    message: /another value already/,
  })
  t.throws(() => run({ sessionVariables, authorize: (_, __, access) => access.set('svc.started_at', 'x') }), {
    code: 'SVC_ACCESS_INVALID',
  })
  t.throws(() => run({ sessionVariables }, asker(null)), { code: 'UNAUTHENTICATED' })
  t.equal(seen.length, 0, 'nothing runs')
  const typename = { kind: 'typename', responseKey: '__typename', typeName: 'Query' } as const
  run({ sessionVariables }, asker(null), testOperation({ roots: [typename] }))
  t.equal(seen.length, 1, 'what needs no database needs no role')
  t.equal(seen[0], undefined)
})

t.test('reads are shared between callers with equal session variables', async (t) => {
  const keyOf = (from: SessionConfig, exchange: Exchange) => {
    const collector = new AccessCollector(exchange)
    collector.give(createSessionVariables(from)?.(exchange) ?? [])
    return collector.take().key
  }
  const header = config(
    [variable('app.lang', { source: 'header', header: 'lang' })],
    { anonymous_role: 'a', role_claim: 'r' },
    true,
  )
  const de = keyOf(header, asker(null, { lang: 'de' }))
  t.not(de, '')
  t.not(keyOf(header, asker(null, { lang: 'fr' })), de)
  t.not(keyOf(header, asker({ r: 'b' }, { lang: 'de' })), de, 'another role')
  await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal(keyOf(header, asker(null, { lang: 'de' })), de, 'when it began is no difference')
})
