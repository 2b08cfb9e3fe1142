import t from 'tap'
import { compareGraphQL } from '../../../../core/cli/diff/graphql-changes.ts'

const QUERY = 'type Query { a(x: Int): A b: B }'
const BASE = `${QUERY} type A { id: ID! } type B { id: ID! }`

/** Rule, level, location, the schema before and the schema after. */
const CASES: readonly (readonly [rule: string, level: string, place: string, before: string, after: string])[] = [
  ['TYPE_REMOVED', 'breaking', 'C', `${BASE} type C { id: ID }`, BASE],
  ['TYPE_ADDED', 'safe', 'C', BASE, `${BASE} type C { id: ID }`],
  ['TYPE_CHANGED_KIND', 'breaking', 'C', `${BASE} type C { id: ID }`, `${BASE} interface C { id: ID }`],
  ['TYPE_REMOVED_FROM_UNION', 'breaking', 'U.B', `${BASE} union U = A | B`, `${BASE} union U = A`],
  ['TYPE_ADDED_TO_UNION', 'dangerous', 'U.B', `${BASE} union U = A`, `${BASE} union U = A | B`],
  [
    'FIELD_REMOVED',
    'breaking',
    'A.name',
    'type Query { a: A } type A { id: ID name: Int }',
    'type Query { a: A } type A { id: ID }',
  ],
  [
    'FIELD_ADDED',
    'safe',
    'A.name',
    'type Query { a: A } type A { id: ID }',
    'type Query { a: A } type A { id: ID name: Int }',
  ],
  ['FIELD_CHANGED_KIND', 'breaking', 'Query.a', 'type Query { a: Int! }', 'type Query { a: Int }'],
  ['FIELD_NARROWED', 'safe', 'Query.a', 'type Query { a: [Int] }', 'type Query { a: [Int!]! }'],
  ['ARG_REMOVED', 'breaking', 'Query.a(x)', 'type Query { a(x: Int): Int }', 'type Query { a: Int }'],
  ['ARG_CHANGED_KIND', 'breaking', 'Query.a(x)', 'type Query { a(x: Int): Int }', 'type Query { a(x: Int!): Int }'],
  ['INPUT_WIDENED', 'safe', 'Query.a(x)', 'type Query { a(x: Int!): Int }', 'type Query { a(x: Int): Int }'],
  ['REQUIRED_ARG_ADDED', 'breaking', 'Query.a(x)', 'type Query { a: Int }', 'type Query { a(x: Int!): Int }'],
  ['OPTIONAL_ARG_ADDED', 'safe', 'Query.a(x)', 'type Query { a: Int }', 'type Query { a(x: Int): Int }'],
  [
    'ARG_DEFAULT_VALUE_CHANGE',
    'dangerous',
    'Query.a(x)',
    'type Query { a(x: Int = 1): Int }',
    'type Query { a(x: Int = 2): Int }',
  ],
  [
    'ARG_BECAME_REQUIRED',
    'breaking',
    'Query.a(x)',
    'type Query { a(x: Int! = 1): Int }',
    'type Query { a(x: Int!): Int }',
  ],
  [
    'REQUIRED_INPUT_FIELD_ADDED',
    'breaking',
    'I.y',
    'type Query { a(i: I): Int } input I { x: Int }',
    'type Query { a(i: I): Int } input I { x: Int y: Int! }',
  ],
  [
    'OPTIONAL_INPUT_FIELD_ADDED',
    'safe',
    'I.y',
    'type Query { a(i: I): Int } input I { x: Int }',
    'type Query { a(i: I): Int } input I { x: Int y: Int }',
  ],
  [
    'INPUT_FIELD_DEFAULT_CHANGED',
    'dangerous',
    'I.x',
    'type Query { a(i: I): Int } input I { x: Int = 1 }',
    'type Query { a(i: I): Int } input I { x: Int = 2 }',
  ],
  [
    'INPUT_FIELD_BECAME_REQUIRED',
    'breaking',
    'I.x',
    'type Query { a(i: I): Int } input I { x: Int! = 1 }',
    'type Query { a(i: I): Int } input I { x: Int! }',
  ],
  [
    'INPUT_WIDENED',
    'safe',
    'I.x',
    'type Query { a(i: I): Int } input I { x: Int! }',
    'type Query { a(i: I): Int } input I { x: Int }',
  ],
  [
    'IMPLEMENTED_INTERFACE_REMOVED',
    'breaking',
    'A',
    `${QUERY} interface N { id: ID! } type A implements N { id: ID! } type B { id: ID! }`,
    `${BASE} interface N { id: ID! }`,
  ],
  [
    'IMPLEMENTED_INTERFACE_ADDED',
    'dangerous',
    'A',
    `${BASE} interface N { id: ID! }`,
    `${QUERY} interface N { id: ID! } type A implements N { id: ID! } type B { id: ID! }`,
  ],
  [
    'VALUE_REMOVED_FROM_ENUM',
    'breaking',
    'E.Y',
    'type Query { a(e: E): Int } enum E { X Y }',
    'type Query { a(e: E): Int } enum E { X }',
  ],
  ['VALUE_REMOVED_FROM_ENUM', 'safe', 'E.Y', 'type Query { a: E } enum E { X Y }', 'type Query { a: E } enum E { X }'],
  ['VALUE_ADDED_TO_ENUM', 'dangerous', 'E.Y', 'type Query { a: E } enum E { X }', 'type Query { a: E } enum E { X Y }'],
  [
    'VALUE_ADDED_TO_ENUM',
    'safe',
    'E.Y',
    'type Query { a(e: E): Int } enum E { X }',
    'type Query { a(e: E): Int } enum E { X Y }',
  ],
  ['DIRECTIVE_REMOVED', 'breaking', '@d', `${BASE} directive @d on FIELD`, BASE],
  ['DIRECTIVE_ADDED', 'safe', '@d', BASE, `${BASE} directive @d on FIELD`],
  [
    'DIRECTIVE_ARG_REMOVED',
    'breaking',
    '@d(x)',
    `${BASE} directive @d(x: Int) on FIELD`,
    `${BASE} directive @d on FIELD`,
  ],
  [
    'REQUIRED_DIRECTIVE_ARG_ADDED',
    'breaking',
    '@d(x)',
    `${BASE} directive @d on FIELD`,
    `${BASE} directive @d(x: Int!) on FIELD`,
  ],
  [
    'DIRECTIVE_LOCATION_REMOVED',
    'breaking',
    '@d(QUERY)',
    `${BASE} directive @d on FIELD | QUERY`,
    `${BASE} directive @d on FIELD`,
  ],
  [
    'SCALAR_SPECIFICATION_CHANGED',
    'dangerous',
    'S',
    'scalar S @specifiedBy(url: "https://a.example") type Query { a: S }',
    'scalar S @specifiedBy(url: "https://b.example") type Query { a: S }',
  ],
  ['DEPRECATED', 'safe', 'Query.a', 'type Query { a: Int }', 'type Query { a: Int @deprecated(reason: "old") }'],
  [
    'DEPRECATION_REMOVED',
    'safe',
    'Query.a',
    'type Query { a: Int @deprecated(reason: "old") }',
    'type Query { a: Int }',
  ],
  [
    'DEPRECATION_CHANGED',
    'safe',
    'E.X',
    'type Query { a: E } enum E { X @deprecated(reason: "a") }',
    'type Query { a: E } enum E { X @deprecated(reason: "b") }',
  ],
]

for (const [rule, level, place, before, after] of CASES) {
  t.test(`${rule} at ${place} is ${level}`, async (t) => {
    const changes = compareGraphQL(before, after)
    t.match(
      changes.filter((one) => one.rule === rule),
      [{ consumers: 'graphql', level, place, message: /\.$|: / }],
      JSON.stringify(changes),
    )
    t.equal(changes.length, 1, `no other rule reports the change: ${JSON.stringify(changes)}`)
  })
}

t.test('equal schemas have no changes', async (t) => {
  for (const [, , , schema] of CASES) t.strictSame(compareGraphQL(schema, schema), [])
})
