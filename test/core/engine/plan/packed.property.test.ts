import fc from 'fast-check'
import t from 'tap'
import { LentText } from '../../../../core/base/util/lent-text.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { executeWorldOn } from '../../../helpers/execute-world.ts'
import { compareForms } from '../../../helpers/forms.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

/**
 * Random rows of every type, read both ways: the JSON that the database writes and the JSON that is written here have to
 * be the same to the letter. A value that looks like the packed form itself may only make the database write it.
 */
const COLUMNS = `s text, v varchar, u uuid, i int, sm smallint, b bigint, n numeric, nf numeric, f float8, r real,
  t boolean, d date, ts timestamp, tz timestamptz, ti time, jb jsonb, j json, e text`

const SQL = `
CREATE TABLE tb_loose (pk_row bigint PRIMARY KEY, ${COLUMNS});
CREATE TABLE tb_strict (pk_row bigint PRIMARY KEY, ${COLUMNS.replaceAll(/(,|$)/g, ' NOT NULL$1')});
CREATE VIEW v_loose AS SELECT pk_row AS pk_loose, * FROM tb_loose;
CREATE VIEW v_strict AS SELECT pk_row AS pk_strict, * FROM tb_strict;
`

function fields(mark: '' | '!'): { name: string; type: string; column?: string }[] {
  const types = {
    s: 'String',
    v: 'Email',
    u: 'UUID',
    i: 'Int',
    sm: 'Int',
    b: 'BigInt',
    n: 'Decimal',
    nf: 'Float',
    f: 'Float',
    r: 'Float',
    t: 'Boolean',
    d: 'Date',
    ts: 'DateTime',
    tz: 'DateTime',
    ti: 'Time',
    jb: 'JSON',
    j: 'JSON',
    e: 'Color',
  }
  const own = Object.entries(types).map(([name, type]) => ({ name, type: `${type}${mark}` }))
  return [
    { name: 'id', type: 'ID!', column: 'pk_row' },
    ...own,
    { name: 'plain_ts', type: `String${mark}`, column: 'ts' },
    { name: 'plain_tz', type: `String${mark}`, column: 'tz' },
    { name: 'plain_d', type: `String${mark}`, column: 'd' },
    { name: 'number', type: `BigInt${mark}`, column: 'i' },
  ]
}

const SCHEMA: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'Color',
      values: [
        { name: 'RED', value: 'r' },
        { name: 'BLUE', value: 'b "x"' },
      ],
    },
  ],
  types: [
    { name: 'Loose', sql_source: 'v_loose', relay: true, fields: fields('') },
    { name: 'Strict', sql_source: 'v_strict', relay: true, fields: fields('!') },
  ],
  queries: [
    { name: 'loose', type: '[Loose!]!', sql_source: 'v_loose' },
    { name: 'strict', type: '[Strict!]!', sql_source: 'v_strict' },
    { name: 'loose_connection', type: '[Loose!]!', relay: true, sql_source: 'v_loose' },
    { name: 'one', type: 'Strict', sql_source: 'v_strict', arguments: [{ name: 'id', type: 'ID!' }] },
  ],
}

const WORDS = [
  '',
  'a',
  '.',
  'null',
  '"',
  '\\',
  '\n',
  '\u0001',
  '\u0002x',
  '\u001f',
  '\u007f',
  '\u2028',
  'é',
  '日本',
  '🦊',
  'a\u0001b',
]
const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join('')),
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((word) => word.replaceAll('\0', '')),
)
const two = (n: number): string => String(n).padStart(2, '0')
const day = fc
  .tuple(
    fc.constantFrom('0001', '0044', '1970', '2024', '9999', '12024'),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) => `${year}-${two(month)}-${two(date)}`)
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.constantFrom('', '.5', '.120', '.123456'))
  .map(([h, m, s, fraction]) => `${two(h)}:${two(m)}:${two(s)}${fraction}`)
/** The calendar starts in 4713 BC. */
const inEra = (text: string, before: boolean): string => (before && text < '1000' ? `${text} BC` : text)
const date = fc.oneof(
  fc.tuple(day, fc.boolean()).map(([d, before]) => inEra(d, before)),
  fc.constantFrom('infinity', '-infinity'),
)
const stamp = fc.oneof(
  fc.tuple(day, clock, fc.boolean()).map(([d, c, before]) => inEra(`${d} ${c}`, before)),
  fc.constantFrom('infinity', '-infinity'),
)
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '-0'),
)
const decimal = fc.oneof(
  fc.tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(9)).map(([n, scale]) => `${n}e-${scale}`),
  fc.constantFrom('NaN', '0.00', '1.500'),
)
const json = fc.oneof(
  fc.json({ maxDepth: 2 }).map((value) => value.replaceAll('\\u0000', '')),
  fc.constant('null'),
)

const CELLS = {
  s: text,
  v: text,
  u: fc.uuid(),
  i: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  sm: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
  b: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  n: decimal,
  nf: decimal,
  f: float,
  r: fc.oneof(fc.float({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('NaN', '-Infinity')),
  t: fc.boolean(),
  d: date,
  ts: stamp,
  tz: stamp,
  ti: clock,
  jb: json,
  j: json,
  e: fc.constantFrom('r', 'b "x"'),
}
const loose = fc.record(
  Object.fromEntries(
    Object.entries(CELLS).map(([k, cell]) => [k, fc.option(cell as fc.Arbitrary<unknown>, { freq: 3 })]),
  ),
)
const strict = fc.record(CELLS as Record<string, fc.Arbitrary<unknown>>)

const ALL = fields('')
  .map(({ name }) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()))
  .join(' ')
const QUERIES = [
  `{ loose(orderBy: [{ s: DESC }]) { ${ALL} __typename } }`,
  `{ strict { ${ALL} } a: strict(limit: 2) { s } }`,
  `{ looseConnection(first: 3) { edges { cursor node { s jb e } } pageInfo { hasNextPage startCursor endCursor } totalCount } }`,
  `{ looseConnection(last: 2) { pageInfo { hasPreviousPage startCursor endCursor } edges { node { tz id } c: cursor __typename } } }`,
  `{ one(id: 1) { ${ALL} } none: one(id: 99) { s } }`,
  `{ loose { s } }`,
  `{ strict { j } }`,
]

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, SCHEMA)
    const plans = QUERIES.map((query) => {
      const operation = world.operation(query)
      return { operation, prepared: world.prepare(query) }
    })
    for (const { prepared } of plans) t.not(prepared.packed, null, 'it is written here')

    async function fill(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
      const json = rows.map((row, index) => {
        const members = Object.entries(row).map(([key, value]) =>
          key === 'j' || key === 'jb' ? `"${key}":${value}` : `"${key}":${JSON.stringify(value)}`,
        )
        return `{${[`"pk_row":${index + 1}`, ...members].join()}}`
      })
      await world.database.query({ name: null, text: `DELETE FROM ${table}` }, [], null)
      // Not through json_populate_recordset: a null of JSON and NULL are to differ.
      const columns = ['pk_row', ...Object.keys(CELLS)]
      const list = columns.map((c) =>
        c === 'j' || c === 'jb' ? `(r -> '${c}')::${c === 'j' ? 'json' : 'jsonb'}` : `(p).${c}`,
      )
      await world.database.query(
        {
          name: null,
          text: `INSERT INTO ${table} SELECT ${list.join()} FROM (SELECT r, json_populate_record(NULL::${table}, r) AS p
            FROM json_array_elements($1::json) r) x`,
        },
        [`[${json.join()}]`],
        null,
      )
    }

    await t.test('both ways give the same text', async (t) => {
      let written = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(loose, { maxLength: 6 }),
          fc.array(strict, { maxLength: 6 }),
          async (looseRows, strictRows) => {
            await fill('tb_loose', looseRows)
            await fill('tb_strict', strictRows)
            const separated = JSON.stringify([looseRows, strictRows]).includes('\\u0001')
            for (const { operation, prepared } of plans) {
              const packed = prepared.packed!
              const texts = await world.database.query(prepared.statement!, prepared.bind({}, null), null)
              const { rows } = await world.database.query(packed.statement, packed.bind({}, null), null)
              const own = packed.write(rows[0]!)
              // A null of JSON stands where the schema forbids null: the database's text is completed by others.
              const forbidden = strictRows.some(({ j, jb }) => String(j).trim() === 'null' || jb === 'null')
              // What is no value of its type is an error with its path: found in the database's text, too.
              const infinite = /"(?:NaN|-?Infinity)"/.test(JSON.stringify([looseRows, strictRows]))
              if (own === null && (separated || forbidden || infinite)) continue
              written++
              const label = String(operation.template.roots[0]?.responseKey)
              if (String(own) !== texts.rows[0]![0]) throw new Error(`${label}\n${own}\n${texts.rows[0]![0]}`)
            }
          },
        ),
        { numRuns: 60 },
      )
      t.ok(written > 100, `written ${written} times`)
    })

    await t.test('the three forms of a list say the same', async (t) => {
      const forms = await executeWorldOn(world.database, SCHEMA)
      let compared = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(loose, { maxLength: 5 }),
          fc.array(strict, { maxLength: 3 }),
          async (looseRows, strictRows) => {
            await fill('tb_loose', looseRows)
            await fill('tb_strict', strictRows)
            for (const list of ['loose', 'strict']) {
              await compareForms(forms, `{ ${list}(orderBy: [{ id: ASC }]) { ${ALL} __typename } }`)
              compared++
            }
          },
        ),
        { numRuns: 40 },
      )
      t.ok(compared >= 80, 'every case was compared twice')
    })

    await t.test('rows that a value pretends are none', async (t) => {
      await fill('tb_strict', [])
      for (const pretended of ['x\u0001y', '\u0001', 'a\u00012\u0001b', '\u0001\u0001\u0001']) {
        await world.database.query({ name: null, text: 'DELETE FROM tb_loose' }, [], null)
        await world.database.query(
          { name: null, text: 'INSERT INTO tb_loose (pk_row, s) VALUES (1, $1), (2, $2)' },
          [pretended, 'end'],
          null,
        )
        for (const query of ['{ loose { s } }', '{ loose { id s } }', '{ looseConnection { edges { node { s } } } }']) {
          const { packed } = world.prepare(query)
          const { rows } = await world.database.query(packed!.statement, [], null)
          t.equal(packed!.write(rows[0]!), null)
        }
      }
    })

    await t.test('a large result comes as bytes, and its letters of many bytes are whole', async (t) => {
      await world.database.query({ name: null, text: 'DELETE FROM tb_loose' }, [], null)
      await world.database.query(
        {
          name: null,
          text: `INSERT INTO tb_loose (pk_row, s, jb) SELECT n, repeat(E'\\u65e5"\\n', n % 300), '{"a": [1]}' FROM generate_series(1, 900) n`,
        },
        [],
        null,
      )
      const query = '{ loose(limit: 1000) { id s jb } }'
      const prepared = world.prepare(query)
      const { rows } = await world.database.query(prepared.packed!.statement, prepared.packed!.bind({}, null), null)
      const own = prepared.packed!.write(rows[0]!)
      t.type(own, LentText)
      t.equal(String(own), await world.text(query))
    })
  },
  { sql: SQL },
)
