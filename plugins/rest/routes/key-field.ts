import type { ArgumentModel } from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import { typeRef } from '../template/embeds.ts'

const KEY_TYPES: ReadonlySet<string> = new Set(['Int', 'ID', 'UUID', 'BigInt'])

/**
 * Returns the `pk_…` field by which the REST route of a query without arguments finds a single row. The value in the
 * path then filters by this field.
 * @returns `null` when there is no such field, or the query requires arguments
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

/** Describes a field as an argument of a REST path, for a route whose path contains a field value. */
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
