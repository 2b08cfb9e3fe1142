import {
  SAMPLED_ROWS,
  type SampledColumn,
  type SampledKeys,
  sampledColumns,
  sampleKey,
} from '../../compiler/checks/sampled-keys.ts'
import type { Database } from '../../contract/database.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { AbortSource } from '../../service/lifecycle/abort-source.ts'

/** For all columns together: a view may be slow, and what is not looked at is not warned of. */
const MOST_MS = 5000

/** Looks at the first documents of each column that types are read from. @returns by `sampleKey` */
export async function sampleDocuments(
  database: Database,
  others: ReadonlyMap<string, Database>,
  compiled: CompiledSchema,
): Promise<ReadonlyMap<string, SampledKeys>> {
  const samples = new Map<string, SampledKeys>()
  const cancel = new AbortSource()
  const timer = setTimeout(() => cancel.abort('timeout'), MOST_MS)
  try {
    for (const column of sampledColumns(compiled)) {
      if (cancel.aborted) break
      // No right to read it, a view that fails: the compile is not about that.
      const of = compiled.sources[column.source]?.database
      const asked = of === undefined ? database : (others.get(of) ?? database)
      const keys = await sample(asked, compiled, column, cancel).catch(() => null)
      if (keys !== null) samples.set(sampleKey(column), keys)
    }
  } finally {
    clearTimeout(timer)
  }
  return samples
}

async function sample(
  database: Database,
  { sources }: CompiledSchema,
  { source, column }: SampledColumn,
  cancel: AbortSource,
): Promise<SampledKeys | null> {
  const found = sources[source]
  const statement = found === undefined ? undefined : database.dialect.sampleKeys?.(found, column, SAMPLED_ROWS)
  if (statement === undefined) return null
  const { rows } = await database.query(statement, [], cancel)
  const keys = new Map<string, Set<string>>()
  for (const [key, type] of rows) {
    const kinds = keys.get(key!)
    if (kinds === undefined) keys.set(key!, new Set([type!]))
    else kinds.add(type!)
  }
  return keys
}
