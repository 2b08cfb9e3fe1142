import type { Database } from '../../contract/database.ts'
import type { DatabaseModel } from '../../contract/database-model.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { type Advice, rankAdvice } from './advice.ts'
import { adviseIndexes } from './advise-indexes.ts'
import { adviseKeys } from './advise-keys.ts'
import { adviseRowSecurity } from './advise-row-security.ts'
import { adviseViews } from './advise-views.ts'
import { BaseColumns } from './base-columns.ts'
import { estimateGains } from './estimate-gain.ts'
import { findNeeds } from './find-needs.ts'
import { readFacts } from './read-facts.ts'
import { sampleOrphans } from './sample-orphans.ts'

export interface AdviseOptions {
  /** Also filters and sorts of tables with few rows. */
  readonly all: boolean
  /** Count rows that refer to no row. */
  readonly orphans: boolean
  /** Requests run as roles of their own. */
  readonly switchesRole: boolean
}

/** Compares a schema with its database, and returns advice, the most important first. Nothing is changed. */
export async function findAdvice(
  database: Database,
  schema: SchemaModel,
  model: DatabaseModel,
  { all, orphans, switchesRole }: AdviseOptions,
): Promise<readonly Advice[]> {
  const facts = await readFacts(database, model)
  const base = new BaseColumns(model, facts)
  const indexes = adviseIndexes(findNeeds(schema, base, facts.isSqlite), facts, all)
  const keys = adviseKeys(model, facts)
  return rankAdvice([
    ...(await estimateGains(database, indexes, facts)),
    ...(orphans ? await sampleOrphans(database, model, keys) : keys),
    ...adviseViews(schema, model, base, facts),
    ...(await adviseRowSecurity(database, schema, model, base, facts, switchesRole)),
  ])
}
