import { type TypeRef, typeRefs, type ValueNode } from '../../../core/doors/front.ts'
import type { ObjectType } from '../../../core/doors/plugin.ts'
import { FilterSum } from '../request/combine.ts'
import { operatorOfField } from '../request/field-filter.ts'
import { fieldsOf } from '../request/fields-of-type.ts'
import { count } from '../request/read-page.ts'
import type { EmbeddedParameter } from '../request/read-request.ts'
import { badRequest, unknownParameter } from '../request/refusals.ts'
import { sortOrder } from './sort-order.ts'

/** A list of related rows in a REST reply, with the type of its rows. */
export interface Embed {
  readonly path: string
  readonly type: ObjectType
}

/**
 * Returns the name of the variable with the filter of a list of related rows.
 * @param path path of the list, such as `posts`
 */
export const filterVariable = (path: string): string => `where:${path}`

export function typeRef(notation: string): TypeRef {
  const ref = typeRefs.parse(notation)
  if (ref === null) throw new Error(`${notation} is no type`)
  return ref
}

/**
 * Converts the query parameters of a list of related rows, such as `posts.limit`, to arguments of the list field.
 * @param mostRows maximum page size
 */
export function embedArguments(
  { path, type }: Embed,
  parameters: readonly EmbeddedParameter[],
  mostRows: number,
): readonly { readonly name: string; readonly value: ValueNode }[] {
  const own = parameters.filter((parameter) => parameter.path.join('.') === path)
  const only = (what: EmbeddedParameter['what']): EmbeddedParameter | undefined => {
    const [first, second] = own.filter((parameter) => parameter.what === what)
    if (second !== undefined)
      throw badRequest(`The parameter "${second.name}" is given twice.`, { parameter: second.name })
    return first
  }
  const args: { name: string; value: ValueNode }[] = []
  if (own.some(({ what }) => what === 'condition')) {
    const name = filterVariable(path)
    args.push({ name: 'where', value: { kind: 'variable', name, type: typeRef(`${type.name}WhereInput!`) } })
  }
  const sort = only('sort')
  if (sort !== undefined)
    args.push({ name: 'orderBy', value: { kind: 'constant', value: sortOrder(sort.value, type) } })
  const limit = only('limit')
  if (limit !== undefined) {
    args.push({ name: 'limit', value: { kind: 'constant', value: Math.min(count(limit.name, limit.value), mostRows) } })
  }
  const offset = only('offset')
  if (offset !== undefined)
    args.push({ name: 'offset', value: { kind: 'constant', value: count(offset.name, offset.value) } })
  return args
}

/**
 * Reads the filters of lists of related rows, such as `posts.status[eq]`.
 * @returns filters by variable name
 * @throws SvcError UNKNOWN_PARAMETER, UNKNOWN_OPERATOR, VALIDATION_ERROR
 */
export function embedFilters(
  embeds: ReadonlyMap<string, Embed>,
  parameters: readonly EmbeddedParameter[],
): Readonly<Record<string, unknown>> {
  const sums = new Map<string, FilterSum>()
  for (const { path, what, field, operator, value, name } of parameters) {
    if (what !== 'condition') continue
    const embed = embeds.get(path.join('.'))
    if (embed === undefined) continue
    const { byName, filterable } = fieldsOf(embed.type)
    const model = byName.get(field)
    if (model === undefined || !filterable.includes(model.wireName))
      throw unknownParameter(name, filterable, `field of ${embed.type.name} to filter by`)
    const known = operatorOfField(model, operator)
    const sum = sums.get(embed.path) ?? new FilterSum()
    sum.condition(model.wireName, known.name, known.readText(value, name))
    sums.set(embed.path, sum)
  }
  return Object.fromEntries([...sums].map(([path, sum]) => [filterVariable(path), sum.sum()]))
}
