import {
  type ArgumentModel,
  argumentsOf,
  type changes,
  type SubscriptionModel,
  valueProblem,
} from '../../../core/doors/front.ts'
import { type ObjectType, type Operation, type RootSelection, SvcError } from '../../../core/doors/plugin.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const DECIMAL = /^-?\d+(\.\d+)?$/
const NUMBERS: ReadonlySet<string> = new Set(['Int', 'Float', 'Decimal', 'BigInt'])

type SubscriptionRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: SubscriptionModel }
type Paths = ReadonlyMap<string, readonly string[]>

interface Wanted {
  readonly argument: ArgumentModel
  readonly name: string
  readonly value: unknown
}

/** Tests changes against the arguments that a client passed to a subscription. */
export interface ArgumentFilter {
  /**
   * Tests whether a change matches the arguments.
   * @param paths fields to compare, for arguments that differ in name from their field
   */
  accepts(change: changes.ObservedChange, paths: Paths): boolean
  /** Returns the fields that the arguments are compared with, by their names in `schema.json`. */
  fields(shape: changes.EntityShape, paths: Paths): readonly string[]
  /** Explains why no row of a type can match, because a value does not fit its column; `null`: rows can match. */
  problem(type: ObjectType, shape: changes.EntityShape, paths: Paths): string | null
}

/**
 * Creates the filter for the arguments of a subscription (docs/plugins/subscriptions.md#a-subscription). An argument
 * must equal the field of the same name; a list must contain the value of the field.
 * @returns `null`: all arguments are null or absent
 * @throws SvcError BAD_USER_INPUT for null in a list, which no event can match
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

function pathOf({ argument, name }: Wanted, { find }: changes.EntityShape, paths: Paths): readonly string[] {
  const path = paths.get(name)
  if (path !== undefined) return path
  const field = find(argument.name)
  return field === undefined ? [] : [field.name]
}

function heldBy(row: changes.ObservedChange['row'], path: readonly string[]): unknown {
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

/** Is the argument of the client equal to the stored value? */
function isSameValue({ named }: Pick<ArgumentModel, 'named'>, given: unknown, stored: unknown): boolean {
  if (named.kind === 'enum') {
    return named.values.some((one) => one.name === given && (one.value === stored || one.name === stored))
  }
  if (typeof given === 'boolean' || typeof stored === 'boolean') return given === stored
  const base = named.kind === 'scalar' ? named.base : named.name
  if (NUMBERS.has(base)) return isSameNumber(given, stored)
  const left = String(given)
  const right = String(stored)
  if (left === right) return true
  if (UUID.test(left)) return left.toLowerCase() === right.toLowerCase()
  if (base !== 'DateTime') return false
  const at = Date.parse(left)
  return !Number.isNaN(at) && at === Date.parse(right)
}

function isSameNumber(given: unknown, stored: unknown): boolean {
  const left = String(given)
  const right = String(stored)
  if (DECIMAL.test(left) && DECIMAL.test(right)) return plain(left) === plain(right)
  return left !== '' && right !== '' && Number(left) === Number(right)
}

/** Normalizes a decimal text, without leading and trailing zeros: `-07.50` becomes `-7.5`. */
function plain(text: string): string {
  const short = text.replace(/^(-?)0+(?=\d)/, '$1')
  const whole = short.includes('.') ? short.replace(/\.?0+$/, '') : short
  return whole === '-0' ? '0' : whole
}
