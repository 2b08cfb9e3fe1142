import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { AccessControl } from '../../../../core/contract/access.ts'
import type { Auth, Exchange } from '../../../../core/contract/exchange.ts'
import { AccessCollector } from '../../../../core/engine/access/collect-access.ts'
import { NO_ACCESS } from '../../../../core/engine/access/no-access.ts'
import { rowFilter } from '../../../../core/engine/access/row-filter.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { compileFixture } from '../../../helpers/compile-fixture.ts'

const SCHEMA: AuthoredSchema = {
  version: '1',
  interfaces: [{ name: 'Named', fields: [{ name: 'label', type: 'String!' }] }],
  unions: [{ name: 'Found', members: ['Book', 'Shelf'] }],
  types: [
    {
      name: 'Shelf',
      sql_source: 'v_shelf',
      implements: ['Named'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String!' },
        { name: 'books', type: '[Book!]!', relation: { from: 'id', to: 'fk_shelf' } },
      ],
    },
    {
      name: 'Book',
      sql_source: 'v_book',
      jsonb_column: 'data',
      implements: ['Named'],
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String!' },
        { name: 'owner_name', type: 'String' },
        { name: 'facts', type: 'JSON' },
        { name: 'size', type: 'Size' },
      ],
    },
    { name: 'Size', embedded: true, fields: [{ name: 'width', type: 'Int' }] },
  ],
  input_types: [{ name: 'Filing', fields: [{ name: 'id', type: 'ID!' }] }],
  queries: [{ name: 'found', type: '[Found!]!', sql_source: 'v_found' }],
}
const schema = compileFixture(SCHEMA, null)
const ANN: Auth = { subject: 'ann', claims: {}, scopes: [], roles: [], method: 'test' }
const collect = (say: (access: AccessControl) => void, auth: Auth | null = ANN) => {
  const collector = new AccessCollector({ auth, generation: { schema } } as unknown as Exchange)
  say(collector)
  return collector.take()
}
const refused = (say: (access: AccessControl) => void, auth: Auth | null = ANN): string => {
  try {
    collect(say, auth)
    return 'taken'
  } catch (error) {
    return error instanceof SvcError ? `${error.code} ${error.message}` : String(error)
  }
}

t.test('hooks without restrictions give one shared constant', async (t) => {
  t.equal(
    collect(() => {}),
    NO_ACCESS,
  )
  t.match(NO_ACCESS, { variant: '', key: '' })
  t.strictSame(NO_ACCESS.settings, [])
})

t.test('deny: fields and types of objects, by wire name; the first error stays, reject wins', async (t) => {
  const secret = new SvcError('FORBIDDEN', 'secret')
  const { denied } = collect((access) => {
    access.deny('Book.owner_name', secret)
    access.deny('Book.ownerName', new SvcError('OTHER', 'other'), { onDeny: 'reject' })
    access.deny('Named.label')
    access.deny('Found')
  })
  t.strictSame([...denied.keys()].sort(), ['Book', 'Book.label', 'Book.ownerName', 'Shelf', 'Shelf.label'])
  t.match(denied.get('Book.ownerName'), { error: secret, reject: true })
  t.match(denied.get('Book.label'), { error: { code: 'FORBIDDEN' }, reject: false })
})

t.test('names that do not exist are refused, with the nearest', async (t) => {
  const cases: [(access: AccessControl) => void, RegExp][] = [
    [
      (access) => access.deny('Bok'),
      /SVC_ACCESS_INVALID access\.deny\("Bok"\): there is no such type\. Did you mean "Book"/,
    ],
    [(access) => access.deny('Book.onerName'), /Book has no such field\. Did you mean "ownerName"/],
    [(access) => access.deny('Found.label'), /Found has no such field\. A union has no fields\./],
    [(access) => access.deny('String'), /access\.deny\("String"\): that is a scalar\./],
    [(access) => access.deny('Filing'), /access\.deny\("Filing"\): that is an input\./],
    [(access) => access.where('Filing', {}), /access\.where\("Filing"\): that is an input\./],
    [(access) => access.deny(7 as never), /not a number/],
    [(access) => access.deny('Book', new Error('x') as never), /no SvcError/],
    [(access) => access.deny('Book', undefined, { onDeny: 'hide' as never }), /"mask" or "reject", not "hide"/],
    [(access) => access.where('Bok', {}), /Did you mean "Book"/],
    [
      (access) => access.where('Book', { onerName: { _eq: 'x' } }),
      /Book has no field "onerName"\. Did you mean "ownerName"/,
    ],
    [(access) => access.where('Book', { ownerName: { _eqq: 'x' } }), /no operator "_eqq"\. Did you mean "_eq"/],
    [(access) => access.where('Shelf', { books: { sme: { id: { _eq: 1 } } } }), /Did you mean "some"/],
    [
      (access) => access.where('Shelf', { books: { some: { idd: { _eq: 1 } } } }),
      /books\.some\.idd: Book has no field/,
    ],
    [(access) => access.where('Size', { width: { _eq: 1 } }), /lives in its parent's document/],
    [(access) => access.where('Found', { label: { _eq: 'x' } }), /a union has no fields/],
    [(access) => access.where('Book', 'true' as never), /a filter is an object/],
    [(access) => access.where('Book', { label: { _eq: new Map() } }), /object of a class/],
  ]
  for (const [say, message] of cases) t.match(refused(say), message)
})

t.test('a condition that says nothing is refused; a value that is not there denies', async (t) => {
  const missing = undefined
  for (const tree of [{}, { label: {} }, { _and: [{}] }, { _not: {} }]) {
    t.match(
      refused((access) => access.where('Book', tree)),
      /SVC_ACCESS_INVALID .*lets every row through/,
      JSON.stringify(tree),
    )
  }
  let deep: object = { label: { _eq: 'x' } }
  for (let level = 0; level < 40; level++) deep = { _not: deep }
  t.match(
    refused((access) => access.where('Book', deep as never)),
    /SVC_ACCESS_INVALID .*nested 32 levels deep/,
  )
  for (const tree of [
    { label: { _eq: missing } },
    { label: { _eq: null } },
    { label: missing },
    { label: { _in: ['a', missing] } },
    { _or: [{ label: { _eq: 'a' } }, { ownerName: { _eq: missing } }] },
    { _and: null },
  ]) {
    t.match(
      refused((access) => access.where('Book', tree as never)),
      /^FORBIDDEN .*no value/,
    )
    t.match(
      refused((access) => access.where('Book', tree as never), null),
      /^UNAUTHENTICATED This needs a credential/,
    )
  }
  t.match(
    refused((access) => access.where('Book', rowFilter('owner = {user}', { user: missing }))),
    /^FORBIDDEN/,
  )
  t.match(
    refused((access) => access.where('Book', rowFilter('owner = ANY({a})', { a: ['x', null as never] })), null),
    /^UNAUTH/,
  )
  t.match(
    refused((access) => access.set('app.tenant', missing)),
    /^FORBIDDEN/,
  )
})

t.test('rowFilter: one condition, whose placeholders are the names of its values', async (t) => {
  const cases: [string, object, RegExp][] = [
    ['', {}, /there is no text/],
    ['a = 1; DROP TABLE x', {}, /one condition/],
    ["a = '{user}'", { user: 1 }, /inside the quotes/],
    ['(a = {user}', { user: 1 }, /parentheses/],
    ['a = {usr}', { user: 1 }, /no value for \{usr\}\. Did you mean "user"/],
    ['a = 1', { user: 1 }, /no placeholder for "user"/],
  ]
  for (const [text, values, message] of cases)
    t.match(
      refused(() => rowFilter(text, values as never)),
      message,
    )
  t.match(
    refused((access) => access.where('Book', { text: 'true', values: {} } as never)),
    /Book has no field "text"/,
    'what only looks like one is data',
  )
  t.match(
    refused((access) => access.where('Book', rowFilter('a = {o}', { o: {} as never }))),
    /not a object|not an object/,
  )
})

t.test('where: conditions of object types, whose shape alone is the variant', async (t) => {
  const of = (owner: string, more = {}) =>
    collect((access) => {
      access.where('Named', { label: { _eq: owner }, ...more })
      access.where('Book', rowFilter('owner = {owner}', { owner }))
    })
  const ann = of('ann')
  t.strictSame([...ann.conditions.keys()].sort(), ['Book', 'Shelf'])
  t.match(ann.conditions.get('Book'), [{ kind: 'filter' }, { kind: 'authored', text: 'owner = {owner}' }])
  t.match(ann.values, { Book: [{ label: { _eq: 'ann' } }, { owner: 'ann' }], Shelf: [{ label: { _eq: 'ann' } }] })
  const bob = of('bob')
  t.equal(ann.variant, bob.variant)
  t.not(ann.key, bob.key)
  t.equal(ann.key, of('ann').key)
  t.not(ann.variant, of('ann', { _not: { label: { _is_null: true } } }).variant)
  t.not(
    of('ann', { _not: { label: { _is_null: true } } }).variant,
    of('ann', { _not: { label: { _is_null: false } } }).variant,
    'a flag decides the SQL',
  )
  t.notMatch(ann.variant, /ann/)
})

t.test('collected access cannot change afterwards', async (t) => {
  const mine = { label: { _in: ['ann'] } }
  const { values } = collect((access) => {
    access.where('Book', mine)
    mine.label._in.push('bob')
  })
  t.match(values.Book, [{ label: { _in: ['ann'] } }])
  t.strictSame(values.Book?.length, 1)
  const collector = new AccessCollector({ auth: ANN, generation: { schema } } as unknown as Exchange)
  collector.take()
  const late = 'was called when authorize was over. Call it before the hook returns, or await.'
  for (const [call, say] of [
    ['deny', () => collector.deny('Book')],
    ['deny', () => collector.deny('Book.label', undefined, { unless: { label: { _eq: 'x' } } })],
    ['mask', () => collector.mask('Book.ownerName', { kind: 'null' } as never)],
    ['where', () => collector.where('Book', { label: { _eq: 'x' } })],
    ['where', () => collector.where('Book', rowFilter('true'))],
    ['set', () => collector.set('app.tenant', 'x')],
    ['set', () => collector.give([{ name: 'app.tenant', value: 'x' }])],
  ] as const) {
    t.equal(refused(say), `SVC_ACCESS_INVALID access.${call} ${late}`)
  }
})

t.test('the key tells apart whatever may make a difference', async (t) => {
  const says: ((access: AccessControl) => void)[] = [
    (access) => access.deny('Book.label'),
    (access) => access.deny('Book.label', new SvcError('FORBIDDEN', 'x')),
    (access) => access.deny('Book.label', new SvcError('FORBIDDEN', 'x', { details: { a: 1 } })),
    (access) => access.deny('Book.label', new SvcError('FORBIDDEN', 'x'), { onDeny: 'reject' }),
    (access) => access.deny('Book'),
    (access) => access.where('Book', { label: { _eq: '1' } }),
    (access) => access.where('Book', { label: { _eq: 1 } }),
    (access) => access.where('Book', { label: { _eq: 1n } }),
    (access) => access.where('Book', { label: { _eq: true } }),
    (access) => access.where('Book', { facts: { _contains: { a: null } } }),
    (access) => access.where('Book', { facts: { _contains: { a: 'null' } } }),
    (access) => access.where('Book', { label: { _in: ['a', 'b'] } }),
    (access) => access.where('Book', { label: { _in: ['a,b'] } }),
    (access) => access.set('app.tenant', '1'),
    (access) => access.set('app.tenant', '2'),
    (access) => access.set('app.user', '1'),
  ]
  const keys = says.map((say) => collect(say).key)
  t.equal(new Set(keys).size, keys.length)
  t.strictSame(
    says.map((say) => collect(say).key),
    keys,
    'and nothing else',
  )
})

t.test('set: names, values, one value per name', async (t) => {
  const { settings, variant } = collect((access) => {
    access.set('app.tenant_id', 7)
    access.set('app.flag', true)
    access.set('app.tenant_id', '7')
  })
  t.strictSame(settings, [
    { name: 'app.tenant_id', value: '7' },
    { name: 'app.flag', value: 'true' },
  ])
  t.equal(variant, '', 'plans do not depend on it')
  for (const name of ['tenant', 'app.', '.x', 'app.x y', "app.x'; --", '', 'app..x', '1a.b', `app.${'x'.repeat(60)}`]) {
    t.match(
      refused((access) => access.set(name, 'x')),
      /SVC_ACCESS_INVALID .*no name of a session variable/,
      name,
    )
  }
  t.match(
    refused((access) => access.set(7 as never, 'x')),
    /a number is no name/,
  )
  t.match(
    refused((access) => access.set('app.x', {} as never)),
    /not a object|not an object/,
  )
  t.match(
    refused((access) => access.set('app.x', 'a\0')),
    /U\+0000/,
  )
  t.match(
    refused((access) => {
      access.set('app.x', 'a')
      access.set('app.x', 'b')
    }),
    /another value already/,
  )
})
