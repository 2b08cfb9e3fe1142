import t from 'tap'
import { createPostgresDatabase, createSqlite, type TestDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { requireService, type TestLike } from '../helpers/services.ts'
import { type Column, POSTGRES, SHARED, SQLITE } from './hostile-columns.ts'
import { JSONS, NUMBERS, TEXTS } from './hostile-values.ts'

/** Whatever a client gives to an operator that is advertised: the database runs it, or the client is told that it is wrong. */
t.setTimeout(120_000)

const POINT = {
  name: 'Point',
  fields: [
    ['x', 'Int'],
    ['at', 'DateTime'],
    ['tags', '[String!]'],
    ['any', 'JSON'],
    ['big', 'BigInt'],
    ['took', 'Duration'],
    ['tree', 'LTree'],
    ['ip', 'IPAddress'],
    ['exact', 'Decimal'],
    ['flag', 'Boolean'],
    ['key', 'UUID'],
    ['mood', 'Mood'],
  ].map(([name, type]) => ({ name, type })),
}

const sqlOf = (columns: Readonly<Record<string, Column>>): string => {
  const all = Object.entries(columns)
  return `CREATE TABLE tb_row (id integer PRIMARY KEY, ${all.map(([name, { column }]) => `${name} ${column}`).join(', ')});
    INSERT INTO tb_row VALUES (1, ${all.map(([, { value }]) => value).join(', ')}), (2, ${all.map(() => 'NULL').join(', ')});`
}

const schemaOf = (columns: Readonly<Record<string, Column>>) => ({
  enums: [
    {
      name: 'Mood',
      values: [
        { name: 'HAPPY', value: 'happy' },
        { name: 'SAD', value: 'sad' },
      ],
    },
  ],
  types: [
    {
      name: 'Row',
      sql_source: 'tb_row',
      fields: [{ name: 'id', type: 'Int!' }, ...Object.entries(columns).map(([name, { type }]) => ({ name, type }))],
    },
    POINT,
  ],
  queries: [{ name: 'rows', type: '[Row!]!' }],
})

interface TypeRef {
  readonly kind: string
  readonly name: string | null
  readonly ofType: TypeRef | null
}
interface InputType {
  readonly name: string
  readonly kind: string
  readonly inputFields: readonly { readonly name: string; readonly type: TypeRef }[] | null
}

const REF = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }'
const STEP = 6
const OWN = new Set(['_eq', '_in'])
/** What the client did wrong, as opposed to the service. */
const REFUSED = new Set(['BAD_USER_INPUT', 'VALIDATION_ERROR', 'GRAPHQL_VALIDATION_FAILED'])

async function suite(t: TestLike, database: TestDatabase, columns: Readonly<Record<string, Column>>): Promise<void> {
  const app = await openApp(t, database, schemaOf(columns) as never)
  const { data } = await app.graphql(`{ __schema { types { name kind inputFields { name type { ${REF} } } } } }`)
  const types = new Map<string, InputType>(data.__schema.types.map((type: InputType) => [type.name, type]))
  const faults: string[] = []
  let asked = 0
  let turn = 0
  let found = 0

  const ask = async (where: object): Promise<void> => {
    asked++
    const { errors, data: answer } = await app.graphql('query ($where: RowWhereInput) { rows(where: $where) { id } }', {
      where,
    })
    if (errors === undefined) found += answer.rows.length
    const bad = (errors ?? []).find(({ extensions }) => !REFUSED.has(String(extensions.code)))
    if (bad !== undefined && faults.length < 200) {
      const cause = app.signals.findLast(({ type }) => type === 'request-failed') as
        | { error?: { cause?: unknown } }
        | undefined
      faults.push(
        `${JSON.stringify(where).slice(0, 150)}: ${bad.extensions.code} ${bad.message} ${String(cause?.error?.cause ?? cause?.error).slice(0, 150)}`,
      )
    }
  }

  async function walk(name: string, place: (value: unknown) => object): Promise<void> {
    for (const { name: key, type } of types.get(name)!.inputFields!) {
      if (/^_(and|or|not)$/.test(key)) continue
      // What all texts have in common is asked of one, where the value is not the scalar's own.
      if (isOther(name) && common.has(key) && !OWN.has(key)) continue
      const under = (value: unknown) => place({ [key]: value })
      const at = namedOf(type)
      const isList = listOf(type)
      if (types.get(at)?.kind === 'INPUT_OBJECT' && /(Filter|WhereInput)$/.test(at)) await walk(at, under)
      else {
        const values = valuesOf(at, isList, types)
        // Each operator is asked a part of them, and each time another one.
        for (let index = turn++ % STEP; index < values.length; index += STEP) await ask(under(values[index]))
      }
    }
  }
  const common = new Set(types.get('StringFilter')!.inputFields!.map(({ name }) => name))
  const isOther = (filter: string): boolean =>
    Object.values(SHARED).some(({ type }) => filter === `${type}Filter`) && filter !== 'StringFilter'
  await walk('RowWhereInput', (value) => value as object)
  t.ok(asked > 5000, `${asked} asked`)
  t.ok(found > 500, `${found} found`)
  t.strictSame(faults, [], 'faults of the service')
  const many = Array.from({ length: 5000 }, (_, index) => (index % 2 === 0 ? { id: 'DESC' } : { name: 'ASC' }))
  const sorted = await app.graphql('query ($o: [RowOrderByInput!]) { rows(orderBy: $o) { id } }', { o: many })
  t.match(sorted.errors?.[0]?.message, 'svc.max_sort_keys', 'five thousand sort keys are more than anybody needs')
  const some = await app.graphql('query ($o: [RowOrderByInput!]) { rows(orderBy: $o) { id } }', {
    o: many.slice(0, 32),
  })
  t.strictSame(some.data, { rows: [{ id: 2 }, { id: 1 }] }, 'thirty-two are the two that count')
}

const namedOf = (type: TypeRef): string => (type.ofType === null ? type.name! : namedOf(type.ofType))
const listOf = (type: TypeRef): boolean => type.kind === 'LIST' || (type.ofType !== null && listOf(type.ofType))

function valuesOf(name: string, isList: boolean, types: ReadonlyMap<string, InputType>): readonly unknown[] {
  const members = types.get(name)?.inputFields
  const single: readonly unknown[] = members
    ? objectsOf(members, types)
    : name === 'Boolean'
      ? [true, false]
      : /^(Int|Port)$/.test(name)
        ? NUMBERS
        : /^(JSON|GeoJSON|Vector)$/.test(name)
          ? JSONS
          : /^(Float|Decimal|BigInt|ID)$/.test(name)
            ? [...NUMBERS, ...TEXTS]
            : [...TEXTS, ...JSONS.slice(1)]
  return isList ? [...single.map((value) => [value]), [], [null], single.slice(0, 3), single[1]] : single
}

function objectsOf(
  members: NonNullable<InputType['inputFields']>,
  types: ReadonlyMap<string, InputType>,
): readonly object[] {
  const values = members.map(({ name, type }) => [name, valuesOf(namedOf(type), listOf(type), types)] as const)
  const most = Math.max(...values.map(([, all]) => all.length))
  return Array.from({ length: most * 2 }, (_, i) =>
    Object.fromEntries(values.map(([name, all], at) => [name, all[(i * (at + 1)) % all.length]])),
  )
}

t.test('hostile operands', async (t) => {
  await t.test('postgres', async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const sql = `CREATE EXTENSION ltree; CREATE TYPE mood AS ENUM ('happy', 'sad'); ${sqlOf(POSTGRES)}`
    await suite(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) }, POSTGRES)
  })
  await t.test('sqlite', async (t) => suite(t, await createSqlite(t, { sql: sqlOf(SQLITE) }), SQLITE))
})
