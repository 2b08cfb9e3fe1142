import t from 'tap'
import { createPostgresDatabase, createSqlite, type TestDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { requireService, type TestLike } from '../helpers/services.ts'
import { as, testCredential } from '../helpers/test-credential.ts'
import { tableSchema } from '../schemas/table-schema.ts'

/** Claims of any form against columns of any type: who has the right one sees the row, whoever has not sees none, and nothing breaks. */
t.setTimeout(120_000)

interface Injected {
  readonly scalar: string
  readonly postgres: string
  readonly sqlite: string
  /** In SQL, and as the claim. */
  readonly value: string
  readonly claim: unknown
}

const UUID = '00000000-0000-4000-8000-000000000001'
const COLUMNS: Readonly<Record<string, Injected>> = {
  i: { scalar: 'Int', postgres: 'int', sqlite: 'INTEGER', value: '1', claim: 1 },
  b: { scalar: 'BigInt', postgres: 'bigint', sqlite: 'INTEGER', value: '1', claim: '1' },
  s: { scalar: 'String', postgres: 'text', sqlite: 'TEXT', value: "'one'", claim: 'one' },
  u: { scalar: 'UUID', postgres: 'uuid', sqlite: 'UUID TEXT', value: `'${UUID}'`, claim: UUID },
  d: { scalar: 'Date', postgres: 'date', sqlite: 'DATE TEXT', value: "'2026-01-01'", claim: '2026-01-01' },
  a: {
    scalar: 'DateTime',
    postgres: 'timestamptz',
    sqlite: 'DATETIME TEXT',
    value: "'2026-01-01T00:00:00Z'",
    claim: '2026-01-01',
  },
  n: { scalar: 'Decimal', postgres: 'numeric', sqlite: 'DECIMAL TEXT', value: "'1.50'", claim: 1.5 },
  o: { scalar: 'Boolean', postgres: 'boolean', sqlite: 'BOOLEAN', value: 'true', claim: true },
  p: { scalar: 'IPAddress', postgres: 'inet', sqlite: 'TEXT', value: "'10.0.0.1'", claim: '10.0.0.1' },
  j: { scalar: 'JSON', postgres: 'jsonb', sqlite: 'JSON TEXT', value: `'{"a":1}'`, claim: { a: 1 } },
  m: { scalar: 'Mood', postgres: 'mood', sqlite: 'TEXT', value: "'happy'", claim: 'happy' },
  f: { scalar: 'Float', postgres: 'float8', sqlite: 'REAL', value: '1.5', claim: '1.5' },
}
const NAMES = Object.keys(COLUMNS)
const OTHERS: readonly unknown[] = [
  ...['', ' ', 'x', '2', 'NaN', '9'.repeat(400), '2026-02-30', "'; drop table x", '{a}', '\ud800', 'a\u0000b', 'null'],
  ...[2, -1, 2.5, 1e300, 1e20, false, [], ['x'], [null], [[1]], {}, { b: 1 }, [2, 'x']],
]

const sqlOf = (type: 'postgres' | 'sqlite', integer: string): string =>
  `CREATE TABLE tb_a (id ${integer} PRIMARY KEY, ${NAMES.map((name) => `${name} ${COLUMNS[name]![type]}`).join(', ')});
    INSERT INTO tb_a VALUES (1, ${NAMES.map((name) => COLUMNS[name]!.value).join(', ')});`

async function suite(t: TestLike, database: TestDatabase): Promise<void> {
  const app = await openApp(
    t,
    database,
    tableSchema(
      {
        name: 'A',
        sql_source: 'tb_a',
        aggregate: true,
        fields: [{ name: 'id', type: 'Int!' }, ...NAMES.map((name) => ({ name, type: COLUMNS[name]!.scalar }))],
      },
      {
        enums: [{ name: 'Mood', values: [{ name: 'HAPPY', value: 'happy' }] }],
        queries: NAMES.map((name) => ({
          name: `by_${name}`,
          type: '[A!]!',
          sql_source: 'tb_a',
          inject: { [name]: 'jwt:it' },
        })),
      },
    ),
    { plugins: [testCredential()] },
  )
  for (const name of NAMES) {
    const root = `by${name.toUpperCase()}`
    const ask = async (claims: Readonly<Record<string, unknown>>) => {
      const { data, errors } = await app.graphql(
        `{ ${root} { id } ${root}Aggregate { count } }`,
        undefined,
        as({ claims }),
      )
      return errors?.[0]?.extensions ?? { found: data[root].length, counted: data[`${root}Aggregate`].count }
    }
    const { claim } = COLUMNS[name]!
    // JSON is equal to one value; others are one of several.
    for (const right of [claim, ...(name === 'j' ? [] : [[claim]])])
      t.strictSame(await ask({ it: right }), { found: 1, counted: 1 }, `${name} ${JSON.stringify(right)}`)
    for (const absent of [{}, { it: null }]) t.match(await ask(absent), { code: 'FORBIDDEN' }, `${name}: absent`)
    for (const other of OTHERS) {
      const { found, code, statusCode } = (await ask({ it: other })) as Record<string, unknown>
      t.ok(
        found === 0 || ['FORBIDDEN', 'BAD_USER_INPUT'].includes(String(code)),
        `${name} ${JSON.stringify(other)}: ${found} ${code} ${statusCode}`,
      )
    }
  }
}

t.test('hostile claims', async (t) => {
  await t.test('postgres', async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const sql = `CREATE TYPE mood AS ENUM ('happy', 'sad'); ${sqlOf('postgres', 'int')}`
    await suite(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) })
  })
  await t.test('sqlite', async (t) => suite(t, await createSqlite(t, { sql: sqlOf('sqlite', 'INTEGER') })))
})
