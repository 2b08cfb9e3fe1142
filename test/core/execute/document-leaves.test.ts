import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { openExecuteWorld } from '../../helpers/execute-world.ts'

/** Nothing holds the texts of a document to a type: what is no UUID, and no time of day, is null and an error in its place. */

const UUID = 'a0000000-0000-4000-8000-000000000001'
const GOOD = [
  { code: UUID, clock: '08:30', codes: [UUID], clocks: ['08:30:00', '23:59:59.5'] },
  { code: UUID.toUpperCase(), clock: '24:00:00', codes: [], clocks: ['00:00'] },
  { code: null, clock: '08:30:00+02', codes: null, clocks: null },
]
const BAD = [
  { code: 'nope', clock: '25:00', codes: ['x', UUID], clocks: ['noon', '08:30'] },
  { code: 1, clock: '8:30', codes: [[UUID], UUID], clocks: [830, '08:30'] },
  { code: `${UUID}0`, clock: '08:30 am', codes: [{ a: 1 }, UUID], clocks: ['08:60', '08:30'] },
]
const rows = [...GOOD, ...BAD]
  .map((row, i) => `INSERT INTO leaf VALUES (${i + 1}, '${JSON.stringify(row)}');`)
  .join('\n')
const SCHEMA = {
  version: '1',
  types: [
    {
      name: 'Leaf',
      sql_source: 'leaf',
      fields: Object.entries({ id: 'Int!', code: 'UUID', clock: 'Time', codes: '[UUID]', clocks: '[Time]' }).map(
        ([name, type]) => ({ name, type }),
      ),
    },
  ],
  queries: [{ name: 'leaves', type: '[Leaf!]!', sql_source: 'leaf' }],
} as unknown as AuthoredSchema

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openExecuteWorld(t, database, SCHEMA)
    const ask = (where: string) =>
      world.run(`{ leaves(where: { id: { ${where} } }, orderBy: [{ id: ASC }]) { code clock codes clocks } }`)
    const good = await ask(`_lte: ${GOOD.length}`)
    t.same([good.data.leaves, good.errors], [GOOD, []])
    const bad = await ask(`_gt: ${GOOD.length}`)
    t.same(
      bad.data.leaves,
      BAD.map(() => ({ code: null, clock: null, codes: [null, UUID], clocks: [null, '08:30'] })),
    )
    t.same(
      bad.errors?.map(({ path, message }) => `${path?.join('.')} ${message}`),
      BAD.flatMap((_, i) =>
        ['code', 'clock', 'codes', 'clocks'].map(
          (name) =>
            `leaves.${i}.${name}${name.endsWith('s') ? '.0' : ''} What is stored for Leaf.${name} is not a value of its type.`,
        ),
      ),
    )
  },
  {
    sql: `CREATE TABLE leaf (id int PRIMARY KEY, data jsonb NOT NULL); ${rows}`,
    sqlite: { sql: `CREATE TABLE leaf (id INTEGER PRIMARY KEY, data JSON TEXT NOT NULL); ${rows}` },
  },
)
