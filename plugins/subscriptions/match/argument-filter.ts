import {
  type ArgumentModel,
  argumentsOf,
  type EntityShape,
  type ObservedChange,
  type SubscriptionModel,
  valueProblem,
} from '../../../core/doors/front.ts'
import { type ObjectType, type Operation, type RootSelection, SvcError } from '../../../core/doors/plugin.ts'
import { isSameValue } from './same-value.ts'

type SubscriptionRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: SubscriptionModel }
type Paths = ReadonlyMap<string, readonly string[]>

interface Wanted {
  readonly argument: ArgumentModel
  readonly name: string
  readonly value: unknown
}

/** What a client asks of a change by the arguments of a subscription. */
export interface ArgumentFilter {
  /** @param paths of arguments that are compared with something else than the field of their name */
  accepts(change: ObservedChange, paths: Paths): boolean
  /** Declared names of the fields that it looks at. */
  fields(shape: EntityShape, paths: Paths): readonly string[]
  /** Why no row of the type can be accepted: a value does not fit its column. @returns `null`: rows can be */
  problem(type: ObjectType, shape: EntityShape, paths: Paths): string | null
}

/**
 * The arguments of a subscription as conditions: each that is not null is to be equal to the field of its name (behaviours 8.5); a
 * list is to hold it.
 * @returns `null`: there is none
 * @throws SvcError BAD_USER_INPUT for a null in a list, which no event could be equal to
 */
export function argumentFilter(root: SubscriptionRoot, variables: Operation['variables']): ArgumentFilter | null {
  const given = argumentsOf(root, variables)
  const wanted: Wanted[] = []
  for (const [name, value] of Object.entries(given)) {
    const argument = root.operation.arguments.get(name)
    if (argument === undefined || value === null) continue
    if (Array.isArray(value) && value.includes(null)) throw nullInList(root, name)
    wanted.push({ argument, name, value })
  }
  if (wanted.length === 0) return null
  return {
    accepts: ({ row, shape }, paths) => wanted.every((one) => holds(one, heldBy(row, pathOf(one, shape, paths)))),
    fields: (shape, paths) => wanted.flatMap((one) => pathOf(one, shape, paths).slice(0, 1)),
    problem(type, shape, paths) {
      for (const one of wanted) {
        const [field, ...keys] = pathOf(one, shape, paths)
        if (field === undefined || keys.length > 0) continue
        for (const value of [one.value].flat()) {
          const problem = value === null ? null : valueProblem(type, field, value)
          if (problem !== null) return `Argument "${one.name}": ${problem}.`
        }
      }
      return null
    },
  }
}

function nullInList({ responseKey }: SubscriptionRoot, name: string): SvcError {
  return new SvcError(
    'BAD_USER_INPUT',
    `Argument "${name}" of "${responseKey}": null is no value to compare with. Leave it out.`,
    {
      path: [responseKey],
      details: { argument: name },
    },
  )
}

function pathOf({ argument, name }: Wanted, { find }: EntityShape, paths: Paths): readonly string[] {
  const path = paths.get(name)
  if (path !== undefined) return path
  const field = find(argument.name)
  return field === undefined ? [] : [field.name]
}

function heldBy(row: ObservedChange['row'], path: readonly string[]): unknown {
  let value: unknown = path.length === 0 ? undefined : row
  for (const key of path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    value = isObject ? (value as Record<string, unknown>)[key] : undefined
  }
  return value
}

function holds({ argument, value }: Wanted, stored: unknown): boolean {
  if (stored === undefined || stored === null) return false
  if (Array.isArray(value)) return value.some((one) => isSameValue(argument, one, stored))
  return isSameValue(argument, value, stored)
}
