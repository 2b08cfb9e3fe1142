import type { ObjectType } from '../../../core/index.ts'
import { sortable } from '../request/fields-of-type.ts'
import { badRequest } from '../request/refusals.ts'

export type SortOrder = readonly Readonly<Record<string, 'ASC' | 'DESC'>>[]

/**
 * `-created_at,name` as `orderBy`.
 * @throws SvcError UNKNOWN_PARAMETER, BAD_REQUEST
 */
export function sortOrder(text: string, type: ObjectType): SortOrder {
  const seen = new Set<string>()
  return text.split(',').map((term) => {
    const given = term.trim()
    const name = given.replace(/^[+-]/, '').trim()
    if (name === '') throw badRequest(`sort: ${JSON.stringify(text.slice(0, 100))} has a key without a name.`)
    const { wireName } = sortable(type, name)
    if (seen.has(wireName)) throw badRequest(`sort: "${wireName}" is given twice.`)
    seen.add(wireName)
    return { [wireName]: given.startsWith('-') ? ('DESC' as const) : ('ASC' as const) }
  })
}

/** Why a field that is sorted by is to be used no more. */
export function deprecatedOrder(type: ObjectType, order: SortOrder): string | undefined {
  const names = order.flatMap((term) => Object.keys(term))
  return names.map((name) => type.fields.get(name)?.deprecated).find((reason) => reason !== undefined)
}
