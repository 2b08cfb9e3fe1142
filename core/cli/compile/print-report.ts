import { listNames } from '../../base/util/nearest.ts'
import { type CompileCounts, printCounts } from '../../compiler/counts.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'

/** `✓ 4 types, 1 enum, 6 queries, 3 mutations (catalog of v_album, v_artist, v_track and 4 more read)` */
export function printReport(counts: CompileCounts, compiled: CompiledSchema): string {
  const names = [...Object.keys(compiled.sources), ...Object.keys(compiled.functions)]
  const read = names.length === 0 ? 'catalog read' : `catalog of ${listNames(names, 3)} read`
  return `✓ ${printCounts(counts)} (${compiled.catalog ? read : `offline: the database was not read; for the dialect ${compiled.dialect ?? 'postgres'}`})`
}
