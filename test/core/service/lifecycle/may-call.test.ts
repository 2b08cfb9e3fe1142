import t from 'tap'
import {
  type AccessControl,
  type Exchange,
  type Operation,
  type Scope,
  SvcError,
} from '../../../../core/doors/plugin.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { deniedBehind } from '../../../../core/service/lifecycle/denied-behind.ts'
import { enterAs, readIdentity } from '../../../../core/service/lifecycle/enter-as.ts'
import { mayCall } from '../../../../core/service/lifecycle/may-call.ts'
import { compileFixture } from '../../../helpers/compile-fixture.ts'
import { failure, plugin } from '../../../helpers/kernel.ts'
import { openPlugin } from '../../../helpers/open-plugin.ts'

/** What lists of tools, links and menus ask of the guards of an operation, and for whom. */
const id = { name: 'id', type: 'ID!' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Book',
      sql_source: 'v_book',
      fields: [id, { name: 'price', type: 'Int' }, { name: 'title', type: 'String' }],
    },
    { name: 'Film', sql_source: 'v_film', implements: ['Thing'], fields: [id] },
    { name: 'Song', sql_source: 'v_song', implements: ['Thing'], fields: [id] },
  ],
  interfaces: [{ name: 'Thing', fields: [id] }],
  unions: [{ name: 'Found', members: ['Film', 'Book'] }],
  queries: [
    { name: 'books', type: '[Book!]!', sql_source: 'v_book' },
    { name: 'things', type: '[Thing!]!', sql_source: 'v_thing' },
    { name: 'found', type: '[Found!]!', sql_source: 'v_found' },
  ],
  mutations: [{ name: 'count', type: 'Int', sql_source: 'fn_count', arguments: [{ name: 'a', type: 'Int' }] }],
}
const model = compileFixture(SCHEMA, null)
const books = model.queries.get('books')!

/** Asks the guards of a kernel with one hook. */
async function guarded(
  t: { teardown(work: () => Promise<void>): void },
  authorize: (exchange: Exchange, operation: Operation, access: AccessControl) => unknown,
) {
  let scope: Scope | null = null
  const tested = await openPlugin(
    t,
    plugin('guard', (given) => {
      scope = given
      given.on('authorize', authorize as never)
    }),
    { schema: model },
  )
  return { guards: scope as unknown as Scope, exchange: tested.exchange(), tested }
}

t.test('an operation may be called where its guards let it pass', async (t) => {
  for (const wait of [false, true]) {
    const asked: unknown[] = []
    let refusal: unknown = null
    const { guards, exchange } = await guarded(t, (_exchange, { template }) => {
      asked.push(template.roots[0])
      if (refusal === null) return wait ? Promise.resolve() : undefined
      if (wait) return Promise.reject(refusal)
      throw refusal
    })
    for (const operation of [...model.queries.values(), ...model.mutations.values()]) {
      t.equal(await mayCall(guards.engine, exchange, operation), true, operation.name)
    }
    const shown = asked.map((root) => (root as { readonly selection: { readonly kind: string } | null }).selection)
    t.strictSame(
      shown.map((selection) => selection?.kind ?? null),
      ['object', 'abstract', 'abstract', null],
    )
    const possible = shown.map((selection) => [
      ...((selection as { readonly possible?: ReadonlyMap<string, unknown> } | null)?.possible?.keys() ?? []),
    ])
    t.strictSame(possible, [[], ['Film', 'Song'], ['Film', 'Book'], []], 'each type that it may be')
    for (const [code, may] of Object.entries({
      FORBIDDEN: false,
      UNAUTHENTICATED: false,
      MINE: false,
      VALIDATION_ERROR: true,
    })) {
      refusal = new SvcError(code, 'no', code === 'MINE' ? { status: 418 } : {})
      t.equal(await mayCall(guards.engine, exchange, books), may, code)
    }
    refusal = new SvcError('SERVICE_UNAVAILABLE', 'away')
    t.match(await failure(async () => mayCall(guards.engine, exchange, books)), { code: 'SERVICE_UNAVAILABLE' })
    refusal = new Error('broken')
    t.match(await failure(async () => mayCall(guards.engine, exchange, books)), { message: 'broken' })
  }
})

t.test('an operation whose rows are denied is not callable', async (t) => {
  let deny: (access: AccessControl) => void = () => {}
  const { guards, exchange } = await guarded(t, (_exchange, _operation, access) => deny(access))
  const may = async (how: typeof deny) => {
    deny = how
    return mayCall(guards.engine, exchange, books)
  }
  t.equal(await may(() => {}), true)
  t.equal(await may((access) => access.deny('Book.price')), true, 'without one field')
  t.equal(await may((access) => access.deny('Film')), true, 'another type')
  t.equal(await may((access) => access.deny('Book')), false)
  t.equal(await may((access) => access.deny('Book', undefined, { onDeny: 'reject' })), false)
  t.equal(await may((access) => access.deny('Book.price', undefined, { onDeny: 'reject' })), true, 'it is left out')
})

t.test('an operation is denied by the types and fields that it reaches', async (t) => {
  let hook: (access: AccessControl) => unknown = () => {}
  const { guards, exchange } = await guarded(t, (_exchange, _operation, access) => hook(access))
  const targets = ['Book', 'Book.id', 'Book.price', 'Book.title', 'Film']
  const denied = async (how: typeof hook): Promise<readonly string[] | null> => {
    hook = how
    const isDenied: ((target: string) => boolean) | null = await deniedBehind(guards.engine, exchange, books)
    return isDenied === null ? null : targets.filter((target) => isDenied(target))
  }
  t.strictSame(await denied(() => {}), [])
  t.strictSame(await denied((access) => access.deny('Book.price')), ['Book.price'])
  t.strictSame(
    await denied(async (access) => {
      await null
      access.deny('Book.title')
    }),
    ['Book.title'],
    'a guard that takes its time',
  )
  t.strictSame(
    await denied((access) => {
      access.deny('Book.price')
      access.mask('Book.title', () => 'x')
    }),
    ['Book.price'],
    'a field that is masked is shown',
  )
  const refuse = (code: string) => () => {
    throw new SvcError(code, 'no')
  }
  for (const code of ['FORBIDDEN', 'UNAUTHENTICATED', 'VALIDATION_ERROR'])
    t.equal(await denied(refuse(code)), null, code)
  t.match(await failure(() => denied(refuse('SERVICE_UNAVAILABLE'))), { code: 'SERVICE_UNAVAILABLE' })
})

t.test('a caller as an operator names one', async (t) => {
  const all = { subject: null, claims: {}, scopes: ['*'], roles: [], method: 'mine' }
  t.strictSame([readIdentity(null, 'mine'), readIdentity(undefined, 'mine')], [all, all])
  t.strictSame(readIdentity({}, 'mine'), { ...all, scopes: [] })
  t.strictSame(readIdentity({ sub: 'ann', scopes: ['a'], roles: ['b'], claims: { c: 1 } }, 'mine'), {
    subject: 'ann',
    claims: { sub: 'ann', c: 1 },
    scopes: ['a'],
    roles: ['b'],
    method: 'mine',
  })
  t.strictSame(readIdentity({ sub: null, claims: { c: 1 } }, 'mine'), { ...all, scopes: [], claims: { c: 1 } })
  for (const [given, message] of [
    ['ann', '"as" is an object.'],
    [5, '"as" is an object.'],
    [[], '"as" is an object.'],
    [{ role: 'b' }, '"as" has no member "role"; it may have sub, scopes, roles, claims.'],
    [{ sub: 5 }, '"as" has a sub that is no text.'],
    [{ scopes: 'a' }, '"as" has scopes and roles that are lists of texts.'],
    [{ scopes: [5] }, '"as" has scopes and roles that are lists of texts.'],
    [{ roles: {} }, '"as" has scopes and roles that are lists of texts.'],
    [{ roles: ['a', null] }, '"as" has scopes and roles that are lists of texts.'],
    [{ claims: 'c' }, '"as" has claims that are an object.'],
    [{ claims: null }, '"as" has claims that are an object.'],
    [{ claims: [] }, '"as" has claims that are an object.'],
  ] as const) {
    const error = await failure(async () => readIdentity(given, 'mine'))
    t.equal(error.code, 'VALIDATION_ERROR')
    t.equal(error.message, message)
  }
})

t.test('work for a caller outside of a request throws what it throws', async (t) => {
  const tested = await openPlugin(
    t,
    plugin('door', (scope) => {
      scope.on('onRequest', (ctx, next) => {
        if (ctx.auth?.subject === 'banned') throw new SvcError('FORBIDDEN', 'Not you.')
        return next()
      })
    }),
  )
  const ann = readIdentity({ sub: 'ann' }, 'mine')
  t.equal(await enterAs(tested, ann, async ({ auth, transport }) => `${auth?.subject} ${transport}`), 'ann internal')
  t.equal(await enterAs(tested, null, async ({ auth }) => auth), null)
  const broken = async () => {
    throw new SvcError('MINE', 'mine')
  }
  t.match(await failure(() => enterAs(tested, ann, broken)), { code: 'MINE' })
  const banned = readIdentity({ sub: 'banned' }, 'mine')
  t.match(await failure(() => enterAs(tested, banned, async () => 'not reached')), {
    code: 'SERVICE_UNAVAILABLE',
    message: 'A hook refused the internal request.',
  })
})
