import type { Database } from '../contract/database.ts'
import type { DatabaseModel } from '../contract/database-model.ts'
import type { SchemaModel } from '../schema/model.ts'
import { type Advice, rankAdvice } from './advice.ts'
import { adviseIndexes } from './advise-indexes.ts'
import { adviseKeys, sampleOrphans } from './advise-keys.ts'
import { adviseRowSecurity } from './advise-row-security.ts'
import { adviseViews } from './advise-views.ts'
import { BaseColumns } from './base-columns.ts'
import { estimateGains } from './estimate-gain.ts'
import { findNeeds } from './find-needs.ts'
import { readFacts } from './read-facts.ts'

/** Options of `findAdvice`. */
export interface AdviceOptions {
  /** `true`: also examines filters and sorts of tables with few rows. */
  readonly all: boolean
  /** `true`: reads rows to count references to rows that do not exist (missing foreign keys). */
  readonly orphans: boolean
  /** `true`: runs EXPLAIN for each advised index, to find how much it lowers the cost of the read. */
  readonly costs: boolean
  /**
   * `true`: each request runs as a database role of its own (`database.role_claim`), so the role of the connection is
   * not checked.
   */
  readonly switchesRole: boolean
}

/** Compares a schema with its database. Changes nothing. @returns advice, the most important first */
export async function findAdvice(
  database: Database,
  schema: SchemaModel,
  model: DatabaseModel,
  { all, orphans, costs, switchesRole }: AdviceOptions,
): Promise<readonly Advice[]> {
  const facts = await readFacts(database, model)
  const base = new BaseColumns(model, facts)
  const indexes = adviseIndexes(findNeeds(schema, base, facts.kind), facts, all)
  const keys = adviseKeys(model, facts)
  return rankAdvice([
    ...(costs ? await estimateGains(database, indexes, facts) : indexes.map(({ advice }) => advice)),
    ...(orphans ? await sampleOrphans(database, model, keys, facts) : keys),
    ...adviseViews(schema, model, base, facts),
    ...(await adviseRowSecurity(database, schema, model, base, facts, switchesRole)),
  ])
}
