import fc from 'fast-check'
import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

/**
 * Random filters over random rows, against the same meaning written in JavaScript: SQL's three-valued logic over
 * columns, two-valued EXISTS over relations.
 */
type Truth = boolean | null
interface Row {
  readonly n: number | null
  readonly s: string | null
  readonly b: boolean | null
  readonly l: readonly string[] | null
  readonly parent: number | null
}
type Where = { readonly [key: string]: unknown }

const WORDS = ['', 'a', 'A', 'ab', 'a_b', '50%', 'b\\c', "o'x", '$1', 'é']
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })
const word = fc.constantFrom(...WORDS)
const number = fc.integer({ min: -2, max: 3 })
const row: fc.Arbitrary<Row> = fc.record({
  n: nullable(number),
  s: nullable(word),
  b: nullable(fc.boolean()),
  l: nullable(fc.array(word, { maxLength: 3 })),
  parent: nullable(fc.nat(11)),
})

const and = (items: readonly Truth[]): Truth => (items.includes(false) ? false : items.includes(null) ? null : true)
const or = (items: readonly Truth[]): Truth => (items.includes(true) ? true : items.includes(null) ? null : false)
const not = (value: Truth): Truth => (value === null ? null : !value)

type Operation = readonly [name: string, operand: fc.Arbitrary<unknown>, (value: never, operand: never) => boolean]
const COMPARE: readonly Operation[] = [
  ['_eq', number, (a: number, b: number) => a === b],
  ['_neq', number, (a: number, b: number) => a !== b],
  ['_gt', number, (a: number, b: number) => a > b],
  ['_gte', number, (a: number, b: number) => a >= b],
  ['_lt', number, (a: number, b: number) => a < b],
  ['_lte', number, (a: number, b: number) => a <= b],
  ['_in', fc.array(number, { maxLength: 3 }), (a: number, b: number[]) => b.includes(a)],
]
const TEXT: readonly Operation[] = [
  ['_eq', word, (a: string, b: string) => a === b],
  ['_contains', word, (a: string, b: string) => a.includes(b)],
  ['_icontains', word, (a: string, b: string) => a.toLowerCase().includes(b.toLowerCase())],
  ['_startswith', word, (a: string, b: string) => a.startsWith(b)],
  ['_endswith', word, (a: string, b: string) => a.endsWith(b)],
  ['_in', fc.array(word, { maxLength: 3 }), (a: string, b: string[]) => b.includes(a)],
]
const LIST: readonly Operation[] = [
  ['_contains', fc.array(word, { maxLength: 2 }), (a: string[], b: string[]) => b.every((x) => a.includes(x))],
  ['_contained_in', fc.array(word, { maxLength: 3 }), (a: string[], b: string[]) => a.every((x) => b.includes(x))],
  ['_has_any', fc.array(word, { maxLength: 2 }), (a: string[], b: string[]) => b.some((x) => a.includes(x))],
  ['_len_gt', fc.nat(2), (a: string[], b: number) => a.length > b],
]
const BOOLEAN: readonly Operation[] = [['_eq', fc.boolean(), (a: boolean, b: boolean) => a === b]]
const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = { n: COMPARE, s: TEXT, b: BOOLEAN, l: LIST }

const fieldFilter = (operations: readonly Operation[]): fc.Arbitrary<Where> =>
  fc
    .array(
      fc.oneof(
        ...operations.map(([name, operand]) => operand.map((value) => [name, value] as const)),
        fc.boolean().map((value) => ['_is_null', value] as const),
      ),
      { maxLength: 2 },
    )
    .map((entries) => Object.fromEntries(entries))

const { where } = fc.letrec<{ where: Where; object: Where }>((tie) => ({
  where: fc.oneof({ depthSize: 'small', maxDepth: 3 }, leafWhere(), tie('object')),
  object: fc.oneof(
    fc.array(tie('where'), { maxLength: 3 }).map((items) => ({ _and: items })),
    fc.array(tie('where'), { maxLength: 3 }).map((items) => ({ _or: items })),
    tie('where').map((item) => ({ _not: item })),
    tie('where').map((item) => ({ up: item })),
    // Inside of an EXISTS an alternative about a related row is joined.
    fc.tuple(tie('where'), leafWhere(), tie('where')).map(([a, b, c]) => ({ up: { _or: [{ up: a }, b, { up: c }] } })),
    fc.tuple(leafWhere(), leafWhere()).map(([a, b]) => ({ up: { _or: [{ _not: { up: a } }, b] } })),
    fc.tuple(tie('where'), leafWhere()).map(([a, b]) => ({ down: { every: { _or: [{ up: { up: a } }, b] } } })),
    fc.tuple(fc.constantFrom('some', 'every', 'none'), tie('where')).map(([q, item]) => ({ down: { [q]: item } })),
    fc.tuple(leafWhere(), tie('where')).map(([leaf, item]) => ({ ...leaf, _not: item })),
  ),
}))

function leafWhere(): fc.Arbitrary<Where> {
  return fc.oneof(
    ...Object.entries(OPERATIONS).map(([field, operations]) =>
      fieldFilter(operations).map((filter) => ({ [field]: filter })),
    ),
  )
}

/** What the filter means. */
function holds(rows: readonly Row[], index: number, filter: Where): Truth {
  const own = rows[index]!
  return and(
    Object.entries(filter).map(([key, value]): Truth => {
      const inner = value as Where
      if (key === '_and') return and((value as Where[]).map((item) => holds(rows, index, item)))
      if (key === '_or') return or((value as Where[]).map((item) => holds(rows, index, item)))
      if (key === '_not') return not(holds(rows, index, inner))
      if (key === 'up')
        return own.parent !== null && own.parent < rows.length && holds(rows, own.parent, inner) === true
      if (key === 'down') {
        const children = rows.flatMap((child, at) =>
          child.parent === index ? [holds(rows, at, Object.values(inner)[0] as Where)] : [],
        )
        if ('some' in inner) return children.some((truth) => truth === true)
        if ('none' in inner) return !children.some((truth) => truth === true)
        return children.every((truth) => truth === true)
      }
      return and(
        Object.entries(inner).map(([name, operand]) => applies(key, own[key as 'n'] as never, name, operand as never)),
      )
    }),
  )
}

function applies(field: string, value: never, name: string, operand: never): Truth {
  if (name === '_is_null') return (value === null) === operand
  const operation = OPERATIONS[field]?.find((candidate) => candidate[0] === name)
  // IN over an empty list is false whatever the value.
  if (name === '_in' && (operand as unknown[]).length === 0) return false
  return value === null ? null : operation![2](value, operand)
}

const fields = [
  { name: 'id', type: 'ID!' },
  { name: 'n', type: 'Int' },
  { name: 's', type: 'String' },
  { name: 'b', type: 'Boolean' },
  { name: 'l', type: '[String!]' },
]
const schema: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Flat',
      sql_source: 'v_flat',
      fields: [
        ...fields,
        { name: 'up', type: 'Flat', relation: { from: 'parent', to: 'id' } },
        { name: 'down', type: '[Flat!]!', relation: { from: 'id', to: 'parent' } },
      ],
    },
    {
      name: 'Doc',
      sql_source: 'v_doc',
      fields: [
        ...fields,
        { name: 'up', type: 'Doc', relation: { from: 'parent', to: 'id' } },
        { name: 'down', type: '[Doc!]!', relation: { from: 'id', to: 'parent' } },
      ],
    },
  ],
  queries: [
    { name: 'flats', type: '[Flat!]!', sql_source: 'v_flat' },
    { name: 'docs', type: '[Doc!]!', sql_source: 'v_doc' },
  ],
}
const SQL = `CREATE TABLE t (id int PRIMARY KEY, n int, s text, b boolean, l text[], parent int);
CREATE VIEW v_flat AS SELECT * FROM t;
CREATE VIEW v_doc AS SELECT id, parent, jsonb_build_object('n', n, 's', s, 'b', b, 'l', l) AS data FROM t;`

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, schema)
    const fill = async (rows: readonly Row[]) => {
      const json = JSON.stringify(rows.map((each, id) => ({ ...each, id })))
      await world.database.query({ name: null, text: 'DELETE FROM t' }, [], null)
      await world.database.query(
        { name: null, text: 'INSERT INTO t SELECT * FROM jsonb_populate_recordset(NULL::t, $1::jsonb)' },
        [json],
        null,
      )
    }
    const query = (root: string, type: string) => `query($w: ${type}WhereInput) { ${root}(where: $w) { id } }`
    const ids = (rows: { id: string }[]) => rows.map((each) => Number(each.id))

    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 4, maxLength: 12 }),
        fc.array(where, { minLength: 8, maxLength: 8 }),
        async (rows, filters) => {
          await fill(rows)
          for (const w of filters) {
            const expected = rows.flatMap((_, index) => (holds(rows, index, w) === true ? [index] : []))
            const { flats } = await world.run(query('flats', 'Flat'), { w })
            const { docs } = await world.run(query('docs', 'Doc'), { w })
            t.strictSame([ids(flats), ids(docs)], [expected, expected], JSON.stringify(w), { bail: true })
            if (!t.passing()) throw new Error(JSON.stringify({ rows, w }))
          }
        },
      ),
      { numRuns: database.kind === 'postgres' ? 60 : 25, endOnFailure: false },
    )
  },
  { sql: SQL },
)
