import type { ObjectType } from '../../../core/doors/plugin.ts'
import { sortable } from '../request/fields-of-type.ts'
import { badRequest } from '../request/refusals.ts'

type Direction = `${'ASC' | 'DESC'}${'' | '_NULLS_FIRST' | '_NULLS_LAST'}`

export type SortOrder = readonly Readonly<Record<string, Direction>>[]

/** Suffixes of a sort key, after a dot. */
const NULLS: Readonly<Record<string, '_NULLS_FIRST' | '_NULLS_LAST'>> = {
  nullsfirst: '_NULLS_FIRST',
  nullslast: '_NULLS_LAST',
}

/**
 * Converts the query parameter `sort` to the argument `orderBy`: `-created_at.nullslast,name`.
 * @throws SvcError UNKNOWN_PARAMETER, BAD_REQUEST
 */
export function sortOrder(text: string, type: ObjectType): SortOrder {
  const seen = new Set<string>()
  return text.split(',').map((term) => {
    const given = term.trim()
    const [name = '', ...words] = given.replace(/^[+-]/, '').trim().split('.')
    if (name === '') throw badRequest(`sort: ${JSON.stringify(text.slice(0, 100))} has a key without a name.`)
    const { wireName } = sortable(type, name)
    if (seen.has(wireName)) throw badRequest(`sort: "${wireName}" is given twice.`)
    seen.add(wireName)
    const nulls = words.length === 0 ? '' : words.length === 1 ? NULLS[words[0]!.toLowerCase()] : undefined
    if (nulls === undefined) {
      const said = JSON.stringify(given.slice(0, 100))
      throw badRequest(`sort: ${said}: behind the name of a field may stand .${Object.keys(NULLS).join(' or .')}.`)
    }
    return { [wireName]: `${given.startsWith('-') ? 'DESC' : 'ASC'}${nulls}` as const }
  })
}

/** Returns the deprecation reason of the first deprecated sort key; `undefined`: none is deprecated. */
export function deprecatedOrder(type: ObjectType, order: SortOrder): string | undefined {
  const names = order.flatMap((term) => Object.keys(term))
  return names.map((name) => type.fields.get(name)?.deprecated).find((reason) => reason !== undefined)
}
