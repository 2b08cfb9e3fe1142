import { didYouMean } from '../../base/util/nearest.ts'
import type { Catalog, CatalogRelation } from '../../contract/database.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import type { Difference } from './difference.ts'
import { readsAlike } from './fitting-type.ts'

/** A view or table that a compiled schema reads. `name` is its name in the database. */
export interface UsedRelation {
  readonly name: string
  readonly source: CompiledSource
  /** The columns that are read, each with the elements of the schema that need it (`Post.title`). */
  readonly columns: ReadonlyMap<string, readonly string[]>
  /** Elements of the schema that need the view or table (`Post`, `query posts`). */
  readonly places: readonly string[]
}

export function compareRelation(used: UsedRelation, { relations, allRelations }: Catalog): readonly Difference[] {
  const { name, source, columns, places } = used
  const found = relations.get(name)
  if (found === undefined) {
    const hint = didYouMean(name, allRelations).trim().replace(/\?$/, '')
    const message = `The database lacks ${name}${hint === '' ? '' : `; ${lowerFirst(hint)}?`}`
    return [{ kind: 'missing-relation', name, places, message }]
  }
  return [...columns].flatMap(([column, needing]): readonly Difference[] => {
    const now = found.columns.find((one) => one.name === column)
    const was = source.columns.find((one) => one.name === column)?.type ?? null
    if (now === undefined) {
      const message = `${name} has no column "${column}"${successor(was, source, found)}`
      return [{ kind: 'missing-column', name, column, places: needing, message }]
    }
    if (readsAlike(was, now.type)) return []
    const message = `${name}."${column}" is ${now.type} and was ${was} when the schema was compiled`
    return [{ kind: 'column-type', name, column, places: needing, message }]
  })
}

/** Finds the new name of a missing column: the only added column of the same type. */
function successor(type: string | null, source: CompiledSource, found: CatalogRelation): string {
  const known = new Set(source.columns.map(({ name }) => name))
  if (known.size === 0) return ''
  const added = found.columns.filter((one) => !known.has(one.name) && one.type === type)
  return added.length === 1 ? `, and a new one "${added[0]!.name}" of its type` : ''
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
