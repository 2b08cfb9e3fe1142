import type { AuthoredSchema, QueryModel } from '../../core/index.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import type { TestLike } from '../helpers/services.ts'
import { runDifferential } from './differential.ts'
import { targetsOf } from './generate/targets.ts'
import { MemoryLists } from './reference/memory-lists.ts'
import { PostgresLists } from './reference/postgres-lists.ts'
import { readSources } from './reference/rows.ts'
import { wantedOf } from './wanted.ts'

export interface CheckOptions {
  /** Requests in all; `SVC_TEST_TIMES` multiplies them. */
  readonly cases: number
  readonly depth: number
  /** Forms that have to come up besides. */
  readonly forms?: readonly string[]
  /** How often each operator and each order has to come up; 0: what comes up is not looked at. */
  readonly least: number
}

const SEED = Number(process.env.SVC_TEST_SEED ?? 12)
const TIMES = Number(process.env.SVC_TEST_TIMES ?? 1)

/** Asks the service over a database requests that a seed decides, and compares every answer with the reference's. */
export async function checkSchema(
  t: TestLike,
  database: TestDatabase,
  schema: AuthoredSchema,
  options: CheckOptions,
): Promise<void> {
  // Other tests run at the same time, on machines of any speed.
  t.setTimeout(1_800_000)
  const app = await openApp(t, database, schema)
  const model = app.kernel.generation.schema
  const isSqlite = database.kind === 'sqlite'
  const sources = await readSources(model, app.database, isSqlite ? 'sqlite' : 'postgres')
  // Where two rows have one key no order is total, and any of several answers is right.
  const isTotal = ({ source }: QueryModel): boolean => {
    const read = sources.get(source.name)
    return read !== undefined && read.byKey.size === read.rows.length
  }
  const queries = [...model.queries.values()].filter(isTotal)
  const started = performance.now()
  const before = process.cpuUsage()
  const { ran, coverage, difference } = await runDifferential({
    app,
    model,
    sources,
    lists: isSqlite ? new MemoryLists(sources) : new PostgresLists(app.database),
    seed: SEED,
    cases: options.cases * TIMES,
    scope: { queries, targets: targetsOf(queries), depth: options.depth },
  })
  const { user, system } = process.cpuUsage(before)
  const processor = Math.round((user + system) / 1000)
  t.comment(
    `${ran} requests in ${Math.round(performance.now() - started)} ms, ${processor} ms of this process, seed ${SEED}`,
  )
  if (difference !== null) return void t.fail(difference)
  t.ok(ran >= options.cases * TIMES, `${ran} requests`)
  const { forms, kinds } = wantedOf(model, queries)
  t.strictSame(coverage.lacking(kinds, options.least), [], 'operators and orders that came up too seldom')
  const wanted = options.least === 0 ? [] : [...forms, ...(options.forms ?? [])]
  t.strictSame(coverage.lacking(wanted, 5), [], 'forms that came up too seldom')
}
