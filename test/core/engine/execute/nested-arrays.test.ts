import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** The type of an array does not say how many dimensions its values have: a list in the place of an item is an error there. */

/** By the name of the column: the type of its items, in GraphQL and in SQL, and two values. */
const COLUMNS: Readonly<Record<string, readonly [named: string, column: string, ...values: readonly string[]]>> = {
  texts: ['String', 'text', 'a', 'b'],
  ids: ['ID', 'uuid', 'a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002'],
  numbers: ['Int', 'int', '1', '2'],
  bigs: ['BigInt', 'int8', '1', '2'],
  floats: ['Float', 'float8', '1.5', '2'],
  prices: ['Decimal', 'numeric', '1.50', '2'],
  flags: ['Boolean', 'bool', 'true', 'false'],
  days: ['Date', 'date', '2024-01-01', '2024-01-02'],
  moments: ['DateTime', 'timestamp', '2024-01-01', '2024-01-02'],
  moods: ['Mood', 'mood', 'calm', 'odd'],
  tones: ['Tone', 'tone', 'LOW', 'HIGH'],
}
const NAMES = Object.keys(COLUMNS)
const row = (id: number, write: (a: string, b: string) => string): string =>
  `INSERT INTO lists VALUES (${id}, ${NAMES.map((name) => `'${write(COLUMNS[name]![2]!, COLUMNS[name]![3]!)}'`).join(', ')});`
const SQL = `
CREATE TYPE mood AS ENUM ('calm', 'odd');
CREATE TYPE tone AS ENUM ('LOW', 'HIGH');
CREATE TABLE lists (id int PRIMARY KEY, ${NAMES.map((name) => `${name} ${COLUMNS[name]![1]}[]`).join(', ')});
${row(1, (a, b) => `{${a},${b}}`)}
${row(2, (a, b) => `{{${a},${b}},{${b},${a}}}`)}
${row(3, () => '{}')}
`
const SCHEMA = tableSchema(
  {
    name: 'Lists',
    sql_source: 'lists',
    list: 'lists',
    fields: [
      { name: 'id', type: 'Int!' },
      ...NAMES.map((name) => ({ name, type: `[${COLUMNS[name]![0]}]` })),
      ...['json', 'deep'].map((name) => ({
        name,
        type: name === 'json' ? '[JSON]' : '[[Int]]',
        column: 'numbers',
      })),
    ],
  },
  {
    enums: [
      {
        name: 'Mood',
        values: [
          { name: 'CALM', value: 'calm' },
          { name: 'ODD', value: 'odd' },
        ],
      },
      { name: 'Tone', values: [{ name: 'LOW' }, { name: 'HIGH' }] },
    ],
  },
)

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openExecuteWorld(t, database, SCHEMA)
    const ask = async (id: number, field: string) => {
      const { data, errors } = await world.run(`{ lists(where: { id: { _eq: ${id} } }) { ${field} } }`)
      const told = (errors ?? []).map(({ path, message }) => `${(path ?? []).join('.')} ${message}`)
      return { value: data.lists[0][field], told }
    }
    for (const name of NAMES) {
      const { value, told } = await ask(1, name)
      t.same([value.length, value.includes(null), told], [2, false, []], name)
      t.same(await ask(3, name), { value: [], told: [] }, `${name}, empty`)
      t.same(
        await ask(2, name),
        {
          value: [null, null],
          told: [0, 1].map((i) => `lists.0.${name}.${i} What is stored for Lists.${name} is not a value of its type.`),
        },
        `${name}, in two dimensions`,
      )
    }
    t.same(
      await ask(2, 'json'),
      {
        value: [
          [1, 2],
          [2, 1],
        ],
        told: [],
      },
      'a list is a value of JSON',
    )
    t.same(
      await ask(2, 'deep'),
      {
        value: [
          [1, 2],
          [2, 1],
        ],
        told: [],
      },
      'declared so',
    )
    t.same(await ask(1, 'deep'), {
      value: [null, null],
      told: [0, 1].map((i) => `lists.0.deep.${i} What is stored for Lists.deep is not a list.`),
    })
  },
  { sql: SQL },
)
