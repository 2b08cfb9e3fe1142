import type { Database, Session } from '../contract/database.ts'
import type { Statement } from '../contract/statement.ts'
import type { AdviceGain } from './advice.ts'
import type { IndexAdvice } from './advise-indexes.ts'
import { tableName } from './create-index.ts'
import type { IndexNeed } from './index-need.ts'
import type { DatabaseFacts } from './read-facts.ts'

/** Pieces of advice that are explained, because each costs a round trip. */
const MOST = 100
/** Rows of a page. */
const PAGE = 20
/** Cost of a random page by the default settings of PostgreSQL. */
const PAGE_COST = 4
/** Entries of a page of an index, about. */
const FAN_OUT = 300

/**
 * Adds to index advice how much the cost of the read falls, from EXPLAIN of PostgreSQL without execution. Advice for
 * other databases and advice after the first 100 is returned without a gain.
 */
export async function estimateGains(
  database: Database,
  found: readonly IndexAdvice[],
  facts: DatabaseFacts,
): Promise<readonly IndexAdvice['advice'][]> {
  const advised: IndexAdvice['advice'][] = []
  for (const [index, { advice, need }] of found.entries()) {
    // EXPLAIN fails for a table that the role may not read.
    const gain =
      facts.kind !== 'postgres' || index >= MOST
        ? null
        : await gainOf(database, need, advice.statements, facts).catch(() => null)
    advised.push(gain === null ? advice : { ...advice, gain })
  }
  return advised
}

async function gainOf(
  database: Database,
  need: IndexNeed,
  statements: readonly string[],
  facts: DatabaseFacts,
): Promise<AdviceGain | null> {
  const read: Statement = { name: null, text: sampleRead(need, facts), readOnly: true }
  const plan = planOf(await database.explain(read, []))
  if (plan === null) return null
  if (facts.extensions.has('hypopg')) {
    const prefix = facts.extensions.get('hypopg')!
    const costThen = await hypotheticalCost(database, read, statements.at(-1)!, prefix).catch(() => null)
    if (costThen !== null) return { costNow: plan.cost, costThen, source: 'hypopg' }
  }
  const levels = Math.max(1, Math.ceil(Math.log(Math.max(plan.tableRows, 2)) / Math.log(FAN_OUT)))
  const rows = need.use === 'order' ? Math.min(PAGE, plan.rows) : plan.rows
  const costThen = Math.min(plan.cost, PAGE_COST * (levels + rows))
  return { costNow: plan.cost, costThen, source: 'estimate' }
}

/**
 * Returns a read that the index would serve. Its operands are subqueries or rare texts, so that the planner assumes an
 * average value and not one that it knows.
 */
function sampleRead({ relation, columns, use }: IndexNeed, facts: DatabaseFacts): string {
  const table = tableName(relation, facts)
  const [first] = columns.map(facts.quote) as [string]
  const some = (name: string): string => `(SELECT ${name} FROM ${table} LIMIT 1)`
  const where = (condition: string): string => `SELECT * FROM ${table} WHERE ${condition}`
  switch (use) {
    case 'lookup':
      return where(
        columns
          .map(facts.quote)
          .map((name) => `${name} = ${some(name)}`)
          .join(' AND '),
      )
    case 'order':
      return `SELECT * FROM ${table} ORDER BY ${columns.map(facts.quote).join(', ')} LIMIT ${PAGE}`
    case 'prefix':
      return where(`${first} LIKE 'svc advise%'`)
    case 'pattern':
      return where(`${first} ILIKE '%svc advise%'`)
    case 'json':
    case 'json keys':
      return where(`${first} @> '{"svc advise": 1}'`)
    case 'list':
      return where(`${first} @> ${some(first)}`)
    case 'words':
      return where(`${first} @@ plainto_tsquery('simple', 'svcadvise')`)
  }
}

interface Plan {
  readonly cost: number
  readonly rows: number
  /** Rows of the largest scan. */
  readonly tableRows: number
}

/** Reads the answer of `EXPLAIN (FORMAT JSON)`. */
function planOf(text: string): Plan | null {
  const [explained] = JSON.parse(text) as readonly { readonly Plan?: Readonly<Record<string, unknown>> }[]
  const root = explained?.Plan
  if (root === undefined) return null
  const rowsOf = (node: Readonly<Record<string, unknown>>): number =>
    Math.max(
      Number(node['Plan Rows'] ?? 0),
      ...((node.Plans ?? []) as readonly Readonly<Record<string, unknown>>[]).map(rowsOf),
    )
  return { cost: Number(root['Total Cost']), rows: Number(root['Plan Rows']), tableRows: rowsOf(root) }
}

/** Hypothetical indexes belong to a session, so all statements run on one. */
async function hypotheticalCost(
  database: Database,
  read: Statement,
  create: string,
  prefix: string,
): Promise<number | null> {
  const statement = (text: string): Statement => ({ name: null, text })
  const work = async (session: Session): Promise<number | null> => {
    await session.query(statement(`SELECT * FROM ${prefix}hypopg_create_index($1)`), [
      create.replace(' CONCURRENTLY', ''),
    ])
    try {
      const { rows } = await session.query(statement(`EXPLAIN (FORMAT JSON) ${read.text}`), [])
      return planOf(rows[0]?.[0] ?? '[]')?.cost ?? null
    } finally {
      await session.query(statement(`SELECT ${prefix}hypopg_reset()`), [])
    }
  }
  return database.transaction(work, {})
}
