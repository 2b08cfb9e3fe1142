import type { AuthoredSchema } from '../../core/doors/command.ts'
import type { Database, QueryModel } from '../../core/doors/plugin.ts'
import { OPERATORS } from '../../core/schema/operators/operators.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import type { TestLike } from '../helpers/services.ts'
import { runDifferential } from './differential.ts'
import { targetsOf } from './generate/targets.ts'
import { MemoryLists } from './reference/memory-lists.ts'
import { PostgresLists } from './reference/postgres-lists.ts'
import { readSources } from './reference/rows.ts'
import { wantedOf } from './wanted.ts'
import { calling } from './world/calling.ts'

export interface CheckOptions {
  /** Requests in all; `SVC_TEST_TIMES` multiplies them. */
  readonly cases: number
  readonly depth: number
  /** Forms that have to come up besides. */
  readonly forms?: readonly string[]
  /** How often each operator and each order has to come up; 0: what comes up is not looked at. */
  readonly least: number
  /** Does the schema have fields for all operators of the database? */
  readonly isWhole: boolean
  /** A PostgreSQL database with the same rows, whose answers those of the service have to equal. */
  readonly reference?: Database
  /** That the database has. */
  readonly extensions?: readonly string[]
}

/** Of a hundred answers; those that show nothing prove little. */
const MOST_EMPTY = 30

/** Which extension a type of columns is of. */
const EXTENSION_OF: Readonly<Record<string, string | undefined>> = {
  ltree: 'ltree',
  vector: 'vector',
  halfvec: 'vector',
  sparsevec: 'vector',
  geography: 'postgis',
  geometry: 'postgis',
}

const SEED = Number(process.env.SVC_TEST_SEED ?? 12)
const TIMES = Number(process.env.SVC_TEST_TIMES ?? 1)
/** Number of requests instead of that of the options. So few need not contain each operator and form. */
const FEW = process.env.SVC_TEST_CASES

/** Asks the service over a database requests that a seed decides, and compares every answer with the reference's. */
export async function checkSchema(
  t: TestLike,
  database: TestDatabase,
  schema: AuthoredSchema,
  options: CheckOptions,
): Promise<void> {
  // Other tests run at the same time, on machines of any speed.
  t.setTimeout(1_800_000)
  const app = await openApp(t, database, schema, { plugins: [calling] })
  const model = app.kernel.generation.schema
  const { kind } = database
  const isPostgres = kind === 'postgres' || kind === 'pglite' || options.reference !== undefined
  const reference = options.reference ?? app.database
  const sources = await readSources(model, reference, isPostgres || kind === 'plugin' ? 'postgres' : kind)
  // Where two rows have one key no order is total, and any of several answers is right.
  const isTotal = ({ source }: QueryModel): boolean => {
    const read = sources.get(source.name)
    return read !== undefined && read.byKey.size === read.rows.length
  }
  const queries = [...model.queries.values()].filter(isTotal)
  const known = new Map<string, Promise<readonly string[]>>()
  const targets = targetsOf(queries)
  const started = performance.now()
  const before = process.cpuUsage()
  const cases = Number(FEW ?? options.cases) * TIMES
  const { ran, coverage, aims, difference } = await runDifferential({
    app,
    model,
    sources,
    lists: (caller) =>
      isPostgres ? new PostgresLists(reference, caller, known) : new MemoryLists(sources, caller, kind === 'mysql'),
    seed: SEED,
    cases,
    least: FEW === undefined ? options.least : 0,
    isWhole: FEW === undefined && options.isWhole,
    scope: { queries, targets, depth: options.depth },
  })
  const { user, system } = process.cpuUsage(before)
  const processor = Math.round((user + system) / 1000)
  t.comment(
    `${ran} requests in ${Math.round(performance.now() - started)} ms, ${processor} ms of this process, seed ${SEED}`,
  )
  if (difference !== null) return void t.fail(difference)
  t.ok(ran >= cases, `${ran} requests`)
  if (FEW !== undefined) return
  const { forms, kinds } = wantedOf(model, queries)
  t.strictSame(coverage.lacking(kinds, options.least), [], 'operators and orders that came up too seldom')
  // What has no extension in its database has no operators of it.
  const own = OPERATORS.filter(({ id, extension, columns }) => {
    const needed = extension ?? columns.map((column) => EXTENSION_OF[column]).find((name) => name !== undefined)
    return app.database.dialect.operators.has(id) && (needed === undefined || options.extensions?.includes(needed))
  })
  if (options.isWhole) {
    const ids = own.map(({ id }) => id)
    t.strictSame(aims.unmetOperators(ids), [], 'operators of the table that nothing was found with')
    const names = targets.map(({ name }) => name)
    const unmet = aims.unmet(names)
    // Of some kind of field the rows may hold no more than one value that an operator could find.
    const said = unmet.join('; ')
    t.ok(unmet.length <= new Set(names).size / 100, `nothing was found with ${unmet.length} of all kinds: ${said}`)
    const share = Math.round(aims.emptyShare * 100)
    t.ok(share < MOST_EMPTY, `${share} of 100 answers about one operator or order show nothing`)
  }
  const wanted = options.least === 0 ? [] : [...forms, ...(options.forms ?? [])]
  t.strictSame(coverage.lacking(wanted, 5), [], 'forms that came up too seldom')
}
