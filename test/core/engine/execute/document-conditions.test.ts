import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/**
 * Anything may be under a key of a document. A value that its field does not show counts as a null in filters, orders, aggregates and
 * relations, and no value fails a statement.
 */

const UUID = 'a0000000-0000-4000-8000-000000000001'
const LONG = '9'.repeat(200_000)
/** By field: a good value as it is stored, an operand that it equals, and one that is less. */
const FIELDS = {
  int: { type: 'Int', good: 5, equal: '5', less: '4' },
  big: { type: 'BigInt', good: '9223372036854775807', equal: '"9223372036854775807"', less: '"-9223372036854775808"' },
  float: { type: 'Float', good: 1e300, equal: '1e300', less: '-0.5' },
  decimal: { type: 'Decimal', good: '2.50', equal: '"2.5"', less: '"-1"' },
  done: { type: 'Boolean', good: true, equal: 'true', less: null },
  at: { type: 'DateTime', good: '2024-02-29T12:00:00Z', equal: '"2024-02-29T13:00:00+01:00"', less: '"1999-01-01"' },
  day: { type: 'Date', good: '2024-02-29', equal: '"2024-02-29"', less: '"1999-01-01"' },
  clock: { type: 'Time', good: '08:30+02', equal: '"08:30"', less: '"00:00"' },
  code: { type: 'UUID', good: UUID.toUpperCase(), equal: `"${UUID}"`, less: null },
} as const
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]
const ANY_TYPE = [{}, [], [5], { a: 1 }, '', ' ', 'soon', 'NaN', 'Infinity', '1e', '5 ', '٥', '1_000', 'null', 'now']
/** Values that are bad for one of the types only, because another form of it is good. */
const BAD: Readonly<Record<keyof typeof FIELDS, readonly unknown[]>> = {
  int: ['5', true, 1.5, 2147483648, -2147483649, LONG],
  big: [true, 1.5, '1.5', '9223372036854775808', '-9223372036854775809', 1e30, '1e3', LONG],
  float: ['1.5', true, '1e400', LONG],
  decimal: [true, '$1', '1,5', '0x10', '--1'],
  done: ['true', 'yes', 1, 0, 't', 'on'],
  at: [20240229, true, '2023-02-29T00:00:00Z', '2024-13-01', 'tomorrow', '2024-01-01T25:00:00Z', 'epoch', LONG],
  day: [20240229, true, '2023-02-29', '2024-02-30', 'today', '0000-01-01', LONG],
  clock: [830, true, '8:30', '25:00', '08:30 am', '08:60', '08:30+99', 'allballs', LONG],
  code: [1, true, `${UUID}0`, `{${UUID}`, UUID.slice(1), LONG],
}
const text = (value: unknown): string => JSON.stringify(value).replaceAll("'", "''")
const documents = [
  Object.fromEntries(NAMES.map((name) => [name, FIELDS[name].good])),
  Object.fromEntries(NAMES.map((name) => [name, null])),
  {},
  ...Array.from({ length: Math.max(...Object.values(BAD).map(({ length }) => length)) }, (_, i) =>
    Object.fromEntries(NAMES.map((name) => [name, BAD[name][i] ?? 'soon'])),
  ),
  ...ANY_TYPE.map((value) => Object.fromEntries(NAMES.map((name) => [name, value]))),
]
/** `JSON.stringify` writes null for these. */
const TOO_LARGE = '{"int": 1e400, "big": 1e400, "float": 1e400, "done": 1e400}'
/** Shown, and too large for `numeric`. */
const HUGE = ['1e99999', '1e9999999', LONG].map((decimal) => text({ decimal }))
const texts = [
  ...documents.map((document) => {
    const held = document as Readonly<Record<string, unknown>>
    const lists = Object.fromEntries(NAMES.map((name) => [`${name}s`, [held[name] ?? null, 'soon', { a: 1 }]]))
    return text({ ...document, ...lists, owner: held.big ?? null })
  }),
  TOO_LARGE,
]
const SCHEMA = extendSchema(
  tableSchema({
    name: 'Held',
    sql_source: 'v_held',
    list: 'helds',
    fields: [
      { name: 'id', type: 'Int!' },
      ...NAMES.map((name) => ({ name, type: FIELDS[name].type })),
      ...NAMES.map((name) => ({ name: `${name}s`, type: `[${FIELDS[name].type}]` })),
      { name: 'owner', type: 'Owner', relation: { from: 'owner', to: 'id' } },
    ],
  }),
  tableSchema({ name: 'Owner', sql_source: 'owner', list: 'owners', fields: { id: 'BigInt!', name: 'String' } }),
)
const insertsOf = (values: readonly string[]): string =>
  values.map((row, i) => `INSERT INTO held VALUES (${i + 1}, '${row}');`).join('\n')
const rows = insertsOf([...texts, ...HUGE])
const OWNERS = "INSERT INTO owner VALUES (0, 'zero'), (9223372036854775807, 'last');"

for (const json of ['jsonb', 'json'] as const) {
  await eachDatabase(
    t,
    async (t, database) => {
      const world = await openExecuteWorld(t, database, SCHEMA)
      const run = async (document: string) => {
        const { data, errors } = await world.run(document)
        t.same(errors, [], document)
        return data
      }
      const ids = async (where: string): Promise<readonly number[]> => {
        const { helds } = await run(
          `{ helds(where: { id: { _lte: ${texts.length} }, _and: [{ ${where} }] }, orderBy: [{ id: ASC }]) { id } }`,
        )
        return helds.map(({ id }: { readonly id: number }) => id)
      }
      const all = texts.map((_, i) => i + 1)
      const others = all.slice(1)

      for (const name of NAMES) {
        const { equal, less } = FIELDS[name]
        await t.test(`${json}: filters by ${name}`, async (t) => {
          t.same(await ids(`${name}: { _eq: ${equal} }`), [1])
          t.same(await ids(`${name}: { _neq: ${equal} }`), [], 'what is not shown is neither equal nor different')
          t.same(await ids(`_not: { ${name}: { _eq: ${equal} } }`), [])
          t.same(await ids(`${name}: { _is_null: false }`), [1])
          t.same(await ids(`${name}: { _is_null: true }`), others)
          if (name !== 'done') {
            t.same(await ids(`${name}: { _in: [${equal}] }`), [1])
            t.same(await ids(`${name}: { _nin: [${equal}] }`), [])
          }
          if (less === null) return
          t.same(await ids(`${name}: { _gt: ${less} }`), [1])
          t.same(await ids(`${name}: { _gte: ${equal}, _lte: ${equal} }`), [1])
          t.same(await ids(`${name}: { _lt: ${less} }`), [])
        })

        await t.test(`${json}: orders by ${name}`, async () => {
          for (const direction of ['ASC_NULLS_LAST', 'DESC_NULLS_LAST']) {
            const { helds } = await run(`{ helds(orderBy: [{ ${name}: ${direction} }, { id: ASC }]) { id } }`)
            t.same(
              helds.map(({ id }: { readonly id: number }) => id).filter((id: number) => id <= texts.length),
              all,
              direction,
            )
          }
        })

        await t.test(`${json}: items of lists of ${name}`, async (t) => {
          t.same(await ids(`${name}s: { _contains: [${equal}] }`), [1])
          t.same(await ids(`${name}s: { _has_any: [${equal}] }`), [1])
          t.same(await ids(`${name}s: { _len_eq: 3 }`), all.slice(0, -1), 'a bad item is an item')
        })
      }

      await t.test(`${json}: decimals that the database cannot hold fail nothing`, async () => {
        await run('{ helds(where: { decimal: { _gt: "1" } }, orderBy: [{ decimal: DESC }]) { id } }')
      })

      await t.test(`${json}: a key that is none refers to no row`, async (t) => {
        const { helds } = await run('{ helds(orderBy: [{ id: ASC }]) { id owner { name } } }')
        const found = helds.filter(({ owner }: { readonly owner: unknown }) => owner !== null)
        t.same(found, [{ id: 1, owner: { name: 'last' } }])
        t.same(await ids('owner: { name: { _is_null: false } }'), [1])
      })

      await t.test(`${json}: what a condition selects is shown with its errors`, async (t) => {
        const { data, errors } = await world.run(
          '{ helds(where: { at: { _is_null: true }, id: { _lte: 5 } }) { id at } }',
        )
        t.same(
          data.helds,
          [2, 3, 4, 5].map((id) => ({ id, at: null })),
        )
        t.same(
          errors.map(({ path }) => path),
          [
            ['helds', 2, 'at'],
            ['helds', 3, 'at'],
          ],
        )
      })
    },
    {
      sql: `CREATE TABLE held (id int PRIMARY KEY, data ${json} NOT NULL); ${rows}
        CREATE VIEW v_held AS SELECT id, data FROM held;
        CREATE TABLE owner (id int8 PRIMARY KEY, name text); ${OWNERS}`,
      ...(json === 'json'
        ? {}
        : {
            sqlite: {
              sql: `CREATE TABLE held (id INTEGER PRIMARY KEY, data JSON TEXT NOT NULL); ${rows}
                CREATE VIEW v_held AS SELECT id, data FROM held;
                CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT); ${OWNERS}`,
            },
            mysql: {
              sql: `CREATE TABLE held (id int PRIMARY KEY, data json NOT NULL);
                ${insertsOf([...texts, ...HUGE].map((row) => row.replaceAll('\\', '\\\\')))}
                CREATE VIEW v_held AS SELECT id, data FROM held;
                CREATE TABLE owner (id bigint PRIMARY KEY, name varchar(20)); ${OWNERS}`,
            },
          }),
    },
  )
}
