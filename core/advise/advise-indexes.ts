import { qualified, sourceOf } from '../introspect/qualified.ts'
import type { Advice, AdviceRule } from './advice.ts'
import { createIndex } from './create-index.ts'
import { type FoundNeed, type IndexUse, servedBy } from './index-need.ts'
import type { DatabaseFacts } from './read-facts.ts'

/** Minimum number of rows in a table for advice on indexes for client filters and sorts. */
export const MANY_ROWS = 10_000

/** Rules about every field that clients can filter or sort by. Few of those indexes pay for their writes. */
const OPTIONAL: ReadonlySet<AdviceRule> = new Set([
  'index-sort',
  'index-filter',
  'index-pattern',
  'index-json',
  'index-list',
])

/**
 * Advice to create an index, together with the read that needs it. `estimateGains` uses the read to compute how much an
 * index lowers its cost.
 */
export interface IndexAdvice {
  readonly advice: Advice
  readonly need: FoundNeed
}

/**
 * Advises on indexes that reads of the schema need and that the tables lack. Filters and sorts on tables with fewer
 * than `MANY_ROWS` rows are skipped.
 * @param needs the indexes that the reads need
 * @param all `true`: filters and sorts on small tables are not skipped
 */
export function adviseIndexes(needs: readonly FoundNeed[], facts: DatabaseFacts, all: boolean): readonly IndexAdvice[] {
  const found = new Map<string, { readonly need: FoundNeed; readonly usedBy: Set<string>; readonly partial: boolean }>()
  for (const need of needs) {
    if (need.relation.kind === 'foreign table' || need.columns.length === 0) continue
    const rows = facts.rows.get(qualified(need.relation)) ?? 0
    if (OPTIONAL.has(need.rule) && !all && rows < MANY_ROWS) continue
    const served = servedBy(need, facts.sortsBytes)
    if (served === 'yes') continue
    const key = JSON.stringify([qualified(need.relation), need.columns, kindOf(need.use)])
    const known = found.get(key)
    if (known === undefined) found.set(key, { need, usedBy: new Set([need.usedBy]), partial: served === 'partial' })
    else known.usedBy.add(need.usedBy)
  }
  return [...found.values()].map(({ need, usedBy, partial }) => ({
    need,
    advice: {
      rule: need.rule,
      subject: `${sourceOf(need.relation)}.${need.columns.join(',')}`,
      level: OPTIONAL.has(need.rule) || partial ? 'info' : 'warning',
      weight: (facts.rows.get(qualified(need.relation)) ?? 0) + usedBy.size,
      message: `${LACKS[need.use]}${partial ? '; an index of some rows exists, which serves only reads with its condition' : ''}`,
      statements: createIndex(need, facts),
      usedBy: [...usedBy],
    },
  }))
}

/** One plain index serves look-ups and orders. */
function kindOf(use: IndexUse): string {
  return use === 'order' || use === 'lookup' ? 'plain' : use
}

const LACKS: Readonly<Record<IndexUse, string>> = {
  lookup: 'has no index for equality, so each read scans the table',
  order: 'has no index in this order, so each page sorts the table',
  prefix: 'has no index for prefixes',
  pattern: 'has no index of trigrams, which serves substrings, prefixes and regular expressions in any case',
  json: 'has no index for containment',
  'json keys': 'has no index for containment and keys',
  list: 'has no index of its elements',
  words: 'has no index of its words',
}
