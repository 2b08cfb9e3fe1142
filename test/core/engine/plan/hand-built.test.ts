import t from 'tap'
import type {
  ArgumentNode,
  FieldSelection,
  Operation,
  QueryRoot,
  ValueNode,
} from '../../../../core/contract/operation.ts'
import { POSTGRES } from '../../../../core/dialects/postgres/dialect.ts'
import { readGuardError } from '../../../../core/dialects/postgres/primitives/read-guard-error.ts'
import { typeName } from '../../../../core/dialects/postgres/primitives/types.ts'
import { prepareRead, prepareRootAlone } from '../../../../core/engine/execute/read/prepare-read.ts'
import { parseAuthored } from '../../../../core/engine/plan/context/authored-parts.ts'
import {
  authored,
  EMPTY,
  escapedLiteral,
  identifier,
  integer,
  join,
  literal,
  parameter,
  render,
  type SqlFragment,
  sql,
} from '../../../../core/engine/sql/fragment.ts'
import { compileFixture } from '../../../helpers/compile-fixture.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** Operations that no front would let through: the planner trusts none of them. */
const schema = tableSchema(
  {
    name: 'Book',
    sql_source: 'v_book',
    list: 'books',
    fields: {
      id: 'ID!',
      title: 'String',
      secret: { type: 'String', filterable: false, orderable: false },
      joke: { type: 'String', computed: true },
      parts: { type: '[Book!]!', relation: { from: 'id', to: 'whole_id' } },
      anything: { type: 'Any', relation: { from: 'any_id', to: 'id' } },
    },
  },
  {
    unions: [{ name: 'Any', members: ['Book'], sql_source: 'v_any' }],
    queries: [{ name: 'anys', type: '[Any!]!', sql_source: 'v_any' }],
    mutations: [{ name: 'make', type: 'Book', sql_source: 'fn_make', operation: 'CREATE' }],
  },
)
const model = compileFixture(schema, null)
const settings = { dialect: POSTGRES, maxRows: 10 } as const
const constant = (value: unknown): ValueNode => ({ kind: 'constant', value })

function operation(
  args: Record<string, ValueNode>,
  query = 'books',
  variables: Record<string, unknown> = {},
): Operation {
  const book = model.types.get('Book')
  if (book?.kind !== 'object') throw new Error('Book is an object')
  const id: FieldSelection = {
    kind: 'field',
    responseKey: 'id',
    field: book.fields.get('id')!,
    arguments: [],
    selection: null,
    location: null,
  }
  const own = { kind: 'object', type: book, fields: [id] } as const
  const root: QueryRoot = {
    kind: 'operation',
    responseKey: 'x',
    operation: model.queries.get(query)!,
    arguments: Object.entries(args).map(([name, value]): ArgumentNode => ({ name, value })),
    selection: query === 'anys' ? { kind: 'abstract', possible: new Map([['Book', own]]) } : own,
    location: null,
  }
  return { template: { kind: 'query', name: null, roots: [root], variables: [] }, variables }
}
const plan = (args: Record<string, unknown>, query?: string) =>
  prepareRead(
    operation(Object.fromEntries(Object.entries(args).map(([name, value]) => [name, constant(value)])), query),
    model,
    settings,
  )

t.test('filters', (t) => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{ titel: { _eq: 'x' } }, /no filter "titel". Did you mean "title"\?/],
    [{ secret: { _eq: 'x' } }, /no filter "secret"/],
    [{ joke: { _eq: 'x' } }, /no filter|no operator|computed/],
    [{ title: { _eqq: 'x' } }, /no operator "_eqq". Did you mean "_eq"\?/],
    [{ title: 'x' }, /an object of operators/],
    ['x', /an object/],
    [{ parts: { any: {} } }, /some, every, none/],
    [{ parts: 'x' }, /some, every, none/],
    [{ anything: {} }, /"anything" cannot be filtered/],
    [{ title: { _is_null: 'x' } }, /true or false/],
    [{ title: { _eq: { a: 1 } } }, /not a single value/],
    [{ title: { _eq: 'a\0' } }, /U\+0000/],
    [{ title: { _in: [null] } }, /null/],
    [{ '"; DROP TABLE x; --': { _eq: 1 } }, /no filter/],
  ]
  for (const [where, message] of refused)
    t.throws(() => plan({ where }), { code: 'BAD_USER_INPUT', message }, JSON.stringify(where))
  const nested = (levels: number): object => (levels === 0 ? { title: { _eq: 'x' } } : { _not: nested(levels - 1) })
  const related = (levels: number): object =>
    levels === 0 ? { title: { _eq: 'x' } } : { parts: { some: related(levels - 1) } }
  t.ok(plan({ where: nested(60) }))
  for (const where of [nested(70), related(70), { _and: [{ _or: [nested(70)] }] }])
    t.throws(() => plan({ where }), { code: 'VALIDATION_ERROR', message: /nested 66 levels deep/ })
  t.end()
})

t.test('orders', (t) => {
  for (const [orderBy, message] of [
    [[{ title: 'ASC', id: 'ASC' }], /exactly one/],
    [[{}], /exactly one/],
    [['title'], /exactly one/],
    [[{ title: 'ASC; DROP TABLE x' }], /a direction is one of/],
    [[{ titel: 'ASC' }], /no sort key "titel". Did you mean "title"/],
    [[{ secret: 'ASC' }], /no sort key/],
    [[{ joke: 'ASC' }], /no sort key/],
  ] as const) {
    t.throws(() => plan({ orderBy }), { code: 'BAD_USER_INPUT', message })
  }
  t.throws(() => plan({ orderBy: [{ id: 'ASC' }] }, 'anys'), { message: /no sort key "id"/ })
  t.match(plan({ orderBy: [{ title: 'DESC' }], limit: 1 }).statement?.text, /"title" DESC, "t1"."id" DESC/)
  t.match(plan({}, 'anys').statement?.text, /CASE "t1"."__typename"::text WHEN 'Book' THEN/)
  t.end()
})

t.test('pages', (t) => {
  for (const limit of ['x', 1.5, -1, {}, '1; DROP']) t.throws(() => plan({ limit }), { code: 'BAD_USER_INPUT' })
  const { bind } = prepareRead(
    operation(
      { limit: { kind: 'variable', name: 'n', type: { kind: 'named', name: 'Int', nullable: false } } },
      'books',
      { n: 1 },
    ),
    model,
    settings,
  )
  t.strictSame(bind({ n: 3 }, null), ['3'])
  for (const n of ['1; DROP', null, undefined, -1]) t.throws(() => bind({ n }, null), { code: 'BAD_USER_INPUT' })
  t.throws(() => bind({ n: 11 }, null), { code: 'VALIDATION_ERROR' })
  t.throws(() => bind(Object.create({ n: 1 }), null), { code: 'BAD_USER_INPUT' }, 'nothing is inherited')
  t.end()
})

t.test('variables inside of lists and objects', (t) => {
  const text = { kind: 'named', name: 'String', nullable: true } as const
  const node: ValueNode = {
    kind: 'object',
    fields: [
      {
        name: '_or',
        value: {
          kind: 'list',
          items: [
            {
              kind: 'object',
              fields: [
                {
                  name: 'title',
                  value: {
                    kind: 'object',
                    fields: [
                      {
                        name: '_in',
                        value: { kind: 'list', items: [constant('a'), { kind: 'variable', name: 'b', type: text }] },
                      },
                    ],
                  },
                },
              ],
            },
            { kind: 'variable', name: 'w', type: text },
          ],
        },
      },
    ],
  }
  const first = operation({ where: node }, 'books', { b: 'B', w: { title: { _eq: 'c' } } })
  const prepared = prepareRead(first, model, settings)
  t.strictSame(prepared.bind(first.variables, null), [['a', 'B'], 'c'])
  const second = { ...first, variables: { b: 'C', w: { title: { _eq: 'd' } } } }
  t.equal(prepareRead(second, model, settings), prepared)
  t.strictSame(prepared.bind(second.variables, null), [['a', 'C'], 'd'])
  t.throws(() => prepareRead({ ...first, variables: { b: 'C', w: { title: { _eq: null } } } }, model, settings), {
    code: 'BAD_USER_INPUT',
  })
  t.end()
})

t.test('a mutation is no read', (t) => {
  const read = operation({})
  const root = { ...read.template.roots[0], operation: model.mutations.get('make')! } as QueryRoot
  const write = { ...read, template: { ...read.template, roots: [root] } }
  t.throws(() => prepareRootAlone(write, 0, model, settings), { code: 'INTERNAL_SERVER_ERROR' })
  t.end()
})

t.test('errors that a plan raises on purpose', (t) => {
  const prepared = plan({})
  const failure = (message: string, code = '22P02') => Object.assign(new Error(message), { code })
  t.match(readGuardError(failure('invalid input syntax for type integer: "svc:max_rows:0:11"'), prepared), {
    code: 'VALIDATION_ERROR',
    path: [/^x$/],
  })
  t.equal(readGuardError(failure('"svc:max_rows:9:11"'), prepared), null)
  t.equal(readGuardError(failure('other'), prepared), null)
  t.equal(readGuardError('no error', prepared), null)
  t.equal(readGuardError(failure('syntax error at or near "x"', '42601'), prepared), null)
  t.end()
})

t.test('fragments', (t) => {
  const slot = { read: () => 'v' }
  const other = { read: () => 'w' }
  const write = (fragment: SqlFragment) => render(fragment, (number) => `$${number}`)
  const both = sql`${parameter(slot)} = ${parameter(other)} OR ${parameter(slot)}`
  t.strictSame(write(both), { text: '$1 = $2 OR $1', slots: [slot, other] })
  t.equal(render(both, (number) => `?${number}`).text, '?1 = ?2 OR ?1')
  t.equal(write(identifier('a"b')).text, '"a""b"')
  t.equal(write(literal("it's")).text, "'it''s'")
  t.equal(write(literal('a\\b')).text, "'a\\b'")
  t.equal(write(escapedLiteral('a\\b')).text, " E'a\\\\b'")
  t.equal(write(join([], ' OR ')).text, write(EMPTY).text)
  const types = ['int8', '_text', 'my type', '_Odd'].map((type) => write(typeName(type)).text)
  t.strictSame(types, ['int8', 'text[]', '"my type"', '"Odd"[]'])
  t.throws(() => identifier('a\0'))
  t.throws(() => literal('a\0'))
  t.throws(() => integer(1.5))
  const names: string[] = []
  const parts = parseAuthored(`a = {x} AND b = '{x}' AND "{y}" = {org.id} || 'it''s {z}'`, (name) => {
    names.push(name)
    return slot
  })
  t.equal(write(authored(parts)).text, `a = $1 AND b = '{x}' AND "{y}" = $1 || 'it''s {z}'`)
  t.strictSame(names, ['x', 'org.id'])
  t.end()
})
