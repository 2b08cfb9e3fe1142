import type { ArgumentModel } from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import { typeRef } from '../template/embeds.ts'

const KEY_TYPES: ReadonlySet<string> = new Set(['Int', 'ID', 'UUID', 'BigInt'])

/**
 * The `pk_…` field of the rows of a single query that no argument finds: a path names it, and it becomes a condition.
 * @returns `null`: there is none, or the query needs arguments
 */
export function keyField({ arguments: declared, named, list }: QueryModel): FieldModel | null {
  if (list || named.kind !== 'object') return null
  if ([...declared.values()].some((one) => !one.type.nullable && one.default === undefined)) return null
  const isKey = ({ name, type, named: of, filterable, read }: FieldModel): boolean =>
    /^pk(_|[A-Z]|$)/.test(name) &&
    type.kind === 'named' &&
    KEY_TYPES.has(of.name) &&
    filterable &&
    read !== null &&
    read.from !== 'relation'
  return [...named.fields.values()].find(isKey) ?? null
}

/** The field as what stands in a path. */
export function keyArgument({ name, wireName, named, description }: FieldModel): ArgumentModel {
  const type = typeRef(`${named.name}!`)
  return {
    name,
    wireName,
    type,
    named,
    description,
    deprecated: undefined,
    default: undefined,
    rules: [],
    compiled: { name, type: `${named.name}!`, wire_name: wireName },
  }
}
