import { searchableFields } from '../../../core/doors/front.ts'
import type { ObjectType, QueryModel } from '../../../core/doors/plugin.ts'

/** Query parameters of REST with a fixed meaning, except those for paging. */
export type Reserved = 'select' | 'sort' | 'filter' | 'and' | 'or' | 'not' | 'search'

const WORDS: ReadonlySet<string> = new Set(['select', 'sort', 'filter', 'and', 'or', 'not', 'search'])
export const PAGING: ReadonlySet<string> = new Set(['limit', 'offset', 'first', 'after', 'last', 'before'])
/** Names of all query parameters with a fixed meaning. A field with such a name is filtered by `name[eq]`. */
export const RESERVED: ReadonlySet<string> = new Set([...WORDS, ...PAGING])

export function isReserved(name: string): name is Reserved {
  return WORDS.has(name)
}

/** Which optional query parameters a REST list accepts. */
export interface CollectionTakes {
  readonly sort: boolean
  readonly filter: boolean
  readonly search: boolean
}

export function takesOf(
  { autoParams: { order_by: sort, where: filter } }: QueryModel,
  type: ObjectType,
): CollectionTakes {
  return { sort, filter, search: searchableFields(type).length > 0 }
}
