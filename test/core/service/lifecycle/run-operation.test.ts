import t from 'tap'
import type { Exchange } from '../../../../core/contract/exchange.ts'
import type { Operation, RootSelection } from '../../../../core/contract/operation.ts'
import type { Result } from '../../../../core/contract/result.ts'
import { createAuthorizer } from '../../../../core/service/lifecycle/authorize-operation.ts'
import {
  createDefaultPolicy,
  type DefaultPolicy,
  guardOf,
  nodeGuardsOf,
} from '../../../../core/service/lifecycle/default-policy.ts'
import { createOperationRunner } from '../../../../core/service/lifecycle/run-operation.ts'

const generation = { schema: { queries: new Map() } }
const anonymous = { auth: null, generation } as unknown as Exchange
const known = { auth: { subject: 'u', claims: {}, scopes: [], roles: [], method: 'jwt' } } as unknown as Exchange

const operationOf = (options: object) => ({
  public: false,
  authenticated: false,
  apiKeyRequired: false,
  requiresRole: [],
  requiresScope: undefined,
  requiresPolicy: undefined,
  ...options,
})

function root(options: Record<string, unknown>): RootSelection {
  const operation = operationOf(options)
  return {
    kind: 'operation',
    responseKey: 'x',
    operation,
    arguments: [],
    selection: null,
    location: null,
  } as unknown as RootSelection
}
const of = (...roots: RootSelection[]): Operation => ({
  template: { kind: 'query', name: null, roots, variables: [] },
  variables: {},
})
const allowed = (policy: DefaultPolicy, exchange: Exchange, operation: Operation): boolean => {
  try {
    createDefaultPolicy(policy)(exchange, operation)
    return true
  } catch (error) {
    t.match(error, { code: 'UNAUTHENTICATED', message: 'Authentication required', status: 401 })
    return false
  }
}

t.test('the default policy decides for the anonymous, and only for them', async (t) => {
  const introspection: RootSelection = { kind: 'literal', responseKey: '__schema', json: '{}' }
  t.equal(allowed('authenticated', anonymous, of(root({}))), false)
  t.equal(allowed('authenticated', known, of(root({}))), true)
  t.equal(allowed('authenticated', anonymous, of(root({ public: true }))), true)
  t.equal(
    allowed('authenticated', anonymous, of(root({ public: true }), root({}))),
    false,
    'one closed root closes the operation',
  )
  t.equal(allowed('authenticated', anonymous, of(introspection)), false, 'the schema is no secret-free zone')
  t.equal(allowed('public', anonymous, of(introspection)), true)
  t.equal(allowed('public', anonymous, of(root({}))), true)
  for (const guard of [
    { authenticated: true },
    { apiKeyRequired: true },
    { requiresRole: ['admin'] },
    { requiresScope: 'read:x' },
  ]) {
    t.equal(allowed('public', anonymous, of(root(guard))), false, JSON.stringify(guard))
  }
})

t.test('an operation that an absent plugin guards is closed for all callers', (t) => {
  const caller = { ...anonymous, auth: known.auth } as Exchange
  const check = (running: readonly string[], guard: Record<string, unknown>) => () =>
    createDefaultPolicy('public', new Set(running))(caller, of(root(guard)))
  for (const guard of [{ apiKeyRequired: true }, { requiresRole: ['admin'] }, { requiresScope: 'read:x' }]) {
    t.throws(check(['policies'], guard), { code: 'INTERNAL_SERVER_ERROR', message: /"x" is .* plugin "scopes"/ })
    t.doesNotThrow(check(['scopes'], guard))
  }
  t.throws(check(['scopes'], { requiresPolicy: 'p' }), { message: /plugin "policies"/ })
  t.doesNotThrow(check([], { authenticated: true }))
  const [ask, twice] = [createDefaultPolicy('public', new Set(['scopes'])), of(root({}))]
  t.doesNotThrow(() => ask(caller, twice))
  t.doesNotThrow(() => ask(caller, twice), 'what was looked at once is not looked at again')
  t.end()
})

const later = () => new Promise((resolve) => setImmediate(resolve))

t.test('authorize comes before resolve, resolve hooks around the innermost', async (t) => {
  const calls: string[] = []
  const result: Result = { data: '{}', errors: null }
  const run = createOperationRunner({
    defaultPolicy: () => void calls.push('policy'),
    authorize: async () => {
      await later()
      calls.push('authorize')
    },
    resolve: (_exchange, _operation, innermost) => {
      calls.push('resolve')
      return innermost()
    },
    innermost: () => {
      calls.push('innermost')
      return result
    },
  })
  t.equal(await run(known, of()), result)
  t.same(calls, ['policy', 'authorize', 'resolve', 'innermost'])
})

t.test('without hooks it stays synchronous; a throw denies', async (t) => {
  const result: Result = { data: '{}', errors: null }
  const plain = createOperationRunner({
    defaultPolicy: () => {},
    authorize: null,
    resolve: null,
    innermost: () => result,
  })
  t.equal(plain(known, of()), result)
  const sync = createOperationRunner({
    defaultPolicy: () => {},
    authorize: () => {},
    resolve: null,
    innermost: () => result,
  })
  t.equal(sync(known, of()), result)
  const denied = createOperationRunner({
    defaultPolicy: () => {},
    authorize: () => {
      throw new Error('no')
    },
    resolve: null,
    innermost: () => t.fail('must not run') as never,
  })
  t.throws(() => denied(known, of()), { message: 'no' })
  const deniedLater = createOperationRunner({
    defaultPolicy: () => {},
    authorize: async () => {
      await later()
      throw new Error('no')
    },
    resolve: null,
    innermost: () => t.fail('must not run') as never,
  })
  await t.rejects(async () => deniedLater(known, of()), { message: 'no' })
})

t.test('node: each relay type is as closed as its own query', async (t) => {
  const node: RootSelection = { kind: 'node', responseKey: 'node', arguments: [], selection: null, location: null }
  const A = { kind: 'object', name: 'A', relay: true }
  const B = { kind: 'object', name: 'B', relay: true }
  const byId = { list: false, arguments: new Map([['id', {}]]) }
  const list = { list: true, arguments: new Map() }
  const queryOf = (named: object, form: object, options: object) => ({ ...operationOf(options), named, ...form })
  const within = (...queries: object[]): Exchange => {
    const schema = { queries: new Map(queries.map((query, i) => [`q${i}`, query])), relayTypes: [A, B] }
    return { auth: null, generation: { schema } } as unknown as Exchange
  }
  const told = (policy: 'public' | 'authenticated', exchange: Exchange) => {
    try {
      const set = createDefaultPolicy(policy)(exchange, of(node))
      return set === undefined ? [] : [...(set as unknown as { denied: Map<string, object> }).denied.keys()]
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const open = [queryOf(A, byId, {}), queryOf(B, list, {})]
  t.same(told('public', within(...open)), [])
  t.same(told('authenticated', within(...open)), 'UNAUTHENTICATED')
  t.same(told('authenticated', within(queryOf(A, byId, { public: true }))), 'UNAUTHENTICATED')
  const closed = { requiresScope: 'read:x' }
  t.same(told('public', within(...open, queryOf(A, list, closed))), [], 'its own query by id decides')
  t.same(told('public', within(...open, queryOf(B, list, closed))), ['node:B'], 'without one all that gives its rows')
  t.same(told('public', within(queryOf(A, byId, { authenticated: true }), queryOf(B, byId, {}))), ['node:A'])
  t.same(told('public', within(queryOf(A, byId, closed), queryOf(B, byId, closed))), 'UNAUTHENTICATED')
  const known = { ...within(queryOf(A, byId, closed)), auth: {} } as unknown as Exchange
  t.equal(createDefaultPolicy('public')(known, of(node)), undefined, 'who is known is asked by the plugin')
})

t.test('guardOf: the rules that stand behind each kind of root', async (t) => {
  const User = { kind: 'object', name: 'User', relay: true }
  const Post = { kind: 'object', name: 'Post', relay: true }
  const none = { list: true, arguments: new Map() }
  const user = { ...operationOf({ authenticated: true }), named: User, ...none }
  const post = { ...operationOf({ requiresScope: 'read:post' }), named: Post, ...none }
  const count = { ...operationOf({}), named: { kind: 'scalar' } }
  const queries = new Map(Object.entries({ user, count, post }))
  const schema = { queries, relayTypes: [User, Post] } as unknown as Parameters<typeof guardOf>[1]
  const node: RootSelection = { kind: 'node', responseKey: 'node', arguments: [], selection: null, location: null }
  t.strictSame(guardOf(node, schema), [user, post])
  t.equal(nodeGuardsOf(schema), nodeGuardsOf(schema), 'found once per schema')
  t.same([...nodeGuardsOf(schema).keys()], ['User', 'Post'])
  t.match(guardOf(root({ public: true }), schema), [{ public: true }])
  t.strictSame(guardOf({ kind: 'typename', responseKey: 't', typeName: 'Query' }, schema), [])
  t.strictSame(guardOf({ kind: 'literal', responseKey: 's', json: '{}' }, schema), [])
  const guard = operationOf({ apiKeyRequired: true })
  const call = { name: 'c', guard, nullable: true, location: null, run: () => ({ text: null, errors: [] }) }
  t.strictSame(guardOf({ kind: 'literal', responseKey: 's', json: '', call }, schema), [guard])
})

t.test('access of the hooks applies to this run of the operation only', async (t) => {
  const within = { ...known, generation: { schema: { types: new Map() } } } as unknown as Exchange
  const seen: Operation[] = []
  const runner = (authorize: Parameters<typeof createOperationRunner>[0]['authorize']) =>
    createOperationRunner({
      defaultPolicy: () => {},
      authorize,
      resolve: null,
      innermost: (_exchange, operation) => {
        seen.push(operation)
        return { data: '{}', errors: null }
      },
    })
  const operation = of(root({ public: true }))
  await runner((_exchange, _operation) => {})(within, operation)
  t.equal(seen.at(-1), operation, 'with nothing said, the operation goes on as it came')
  await runner(async (_exchange, _operation, access) => {
    await null
    access.set('app.user', 'ann')
  })(within, operation)
  t.match(seen.at(-1), { template: operation.template, access: { settings: [{ name: 'app.user', value: 'ann' }] } })
  t.equal(operation.access, undefined)
  for (const authorize of [null, () => {}]) {
    await runner(authorize)(within, seen[1]!)
    t.equal(seen.at(-1)?.access, undefined, 'what was decided for somebody else counts for nothing')
  }
  await t.rejects(
    async () => runner((_exchange, _operation, access) => access.set('tenant', 'ann'))(within, operation),
    { code: 'SVC_ACCESS_INVALID' },
    'a word that cannot be denies',
  )
})

t.test('a write that has to be complete is not begun where something of it is masked', async (t) => {
  const place = { path: ['x', 'secret'], target: 'Note.secret', location: null }
  const log: string[] = []
  const stages = {
    defaultPolicy: () => undefined,
    authorize: () => void log.push('authorize'),
    resolve: null,
    innermost: (_exchange: Exchange, operation: Operation) => {
      log.push('innermost')
      return operation as unknown as Result
    },
  }
  const begins = () => void log.push('begins')
  const masked = (places: readonly object[], write: object): Operation =>
    ({ ...of(root({ public: true })), write, template: { ...of(root({})).template, masked: { places } } }) as never
  const run = createOperationRunner(stages)
  await run(known, masked([], { complete: true, begins }))
  await run(known, masked([place], { begins }))
  t.same(log.splice(0), ['authorize', 'begins', 'innermost', 'authorize', 'begins', 'innermost'])
  t.throws(() => run(known, masked([place], { complete: true, begins })), { code: 'FORBIDDEN' })
  t.same(log.splice(0), ['authorize'])
  const asked = await createAuthorizer(stages)(known, masked([], { complete: true, begins }))
  t.same(log.splice(0), ['authorize'], 'nothing begins by asking')
  t.equal(asked.write?.complete, true)
  t.throws(() => createAuthorizer(stages)(known, masked([place], { complete: true })), { code: 'FORBIDDEN' })
})

t.test('only operations that read data run with the session variables', async (t) => {
  const seen: Operation[] = []
  const run = createOperationRunner({
    defaultPolicy: () => {},
    authorize: null,
    sessionVariables: () => [{ name: 'role', value: 'web_user' }],
    resolve: null,
    innermost: (_exchange, operation) => {
      seen.push(operation)
      return { data: '{}', errors: null }
    },
  })
  const kinds: Readonly<Record<Exclude<RootSelection['kind'], 'related'>, boolean>> = {
    operation: true,
    node: true,
    rows: true,
    aggregate: true,
    typename: false,
    literal: false,
  }
  for (const [kind, asks] of Object.entries(kinds)) {
    const any = { ...root({}), kind } as RootSelection
    await run(known, of(any))
    t.strictSame(seen.at(-1)?.access?.settings, asks ? [{ name: 'role', value: 'web_user' }] : undefined, kind)
  }
  const own = { ...root({}), kind: 'related' } as unknown as RootSelection
  t.throws(
    () => guardOf(own, generation.schema as never),
    /the engine's own/,
    'whoever asks for rows by their keys asks for the relation',
  )
})
