import type { ArgumentModel, InputFieldModel, NamedType } from '../../../core/doors/front.ts'
import type { FieldModel, OperationModel } from '../../../core/doors/plugin.ts'
import type { Filter } from '../request/json-filter.ts'

/** Deprecation reason of the schema; `undefined`: not deprecated. */
type Reason = string | undefined
type Given = Readonly<Record<string, unknown>>

/** Finds deprecated arguments and fields in the values of a request, for the header `Deprecation`. */
export interface DeprecatedValues {
  arguments(given: Given): Reason
  filter(filter: Filter | null): Reason
}

const known = new WeakMap<OperationModel, DeprecatedValues>()
const NOTHING: DeprecatedValues = { arguments: () => undefined, filter: () => undefined }

/**
 * Returns the finder of deprecated arguments and fields in the values of an operation's requests. It does nothing for
 * an operation without deprecations.
 */
export function deprecatedValues(operation: OperationModel): DeprecatedValues {
  let values = known.get(operation)
  if (values === undefined) {
    values = valuesOf(operation)
    known.set(operation, values)
  }
  return values
}

function valuesOf(operation: OperationModel): DeprecatedValues {
  const args = [...operation.arguments.values()]
  const ofArguments = args.some((argument) => isDeprecated(argument) || reaches(argument.named))
  const { named } = operation
  const ofFilter = operation.kind === 'query' && reaches(named)
  if (!ofArguments && !ofFilter) return NOTHING
  return {
    arguments: ofArguments ? (given) => inMembers(args, given) : NOTHING.arguments,
    filter: ofFilter ? (filter) => (filter === null ? undefined : deprecatedFilter(named, filter)) : NOTHING.filter,
  }
}

function isDeprecated({ deprecated }: { readonly deprecated: Reason }): boolean {
  return deprecated !== undefined
}

/** Does a type reach something deprecated? Cached, because most types of a schema reach most others. */
const reaching = new WeakMap<NamedType, boolean>()

function reaches(from: NamedType): boolean {
  const seen = new Set([from])
  // Iteration over a Set includes entries added during the iteration.
  for (const type of seen) {
    const known = reaching.get(type)
    if (known === false || (type.kind !== 'object' && type.kind !== 'input')) continue
    const fields: readonly (FieldModel | InputFieldModel)[] = [...type.fields.values()]
    if (known === true || fields.some(isDeprecated)) {
      reaching.set(from, true)
      return true
    }
    for (const { named } of fields) seen.add(named)
  }
  for (const type of seen) reaching.set(type, false)
  return false
}

function inMembers(known: readonly (ArgumentModel | InputFieldModel)[], given: unknown): Reason {
  if (Array.isArray(given)) return firstOf(given, (item) => inMembers(known, item))
  if (typeof given !== 'object' || given === null) return undefined
  return firstOf(known, ({ wireName, deprecated, named }) => {
    if (!Object.hasOwn(given, wireName)) return undefined
    if (deprecated !== undefined) return deprecated
    return named.kind === 'input' ? inMembers([...named.fields.values()], (given as Given)[wireName]) : undefined
  })
}

/**
 * Returns the deprecation reason of the first deprecated field in a filter; `undefined`: none.
 * @param filter filter in GraphQL form (`where`)
 */
export function deprecatedFilter(type: NamedType, filter: unknown): Reason {
  if (Array.isArray(filter)) return firstOf(filter, (item) => deprecatedFilter(type, item))
  if (type.kind !== 'object' || typeof filter !== 'object' || filter === null) return undefined
  return firstOf(Object.entries(filter), ([key, value]) => {
    const field = key.startsWith('_') ? undefined : type.fields.get(key)
    if (field === undefined) return deprecatedFilter(type, value)
    return field.deprecated ?? deprecatedFilter(field.named, value)
  })
}

function firstOf<T>(items: readonly T[], look: (item: T) => Reason): Reason {
  for (const item of items) {
    const reason = look(item)
    if (reason !== undefined) return reason
  }
  return undefined
}
