import {
  type ArgumentModel,
  argumentsOf,
  type EntityShape,
  type ObservedChange,
  type Operation,
  type RootSelection,
  type SubscriptionModel,
} from '../../../core/index.ts'

type SubscriptionRoot = Extract<RootSelection, { kind: 'operation' }> & { readonly operation: SubscriptionModel }

/** Is what the client gave true of the change? */
export type Accepts = (change: ObservedChange) => boolean

interface Wanted {
  readonly argument: ArgumentModel
  readonly value: unknown
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const DECIMAL = /^-?\d+(\.\d+)?$/
const NUMBERS: ReadonlySet<string> = new Set(['Int', 'Float', 'Decimal', 'BigInt'])

/**
 * The arguments of a subscription as conditions: each that is not null is to be equal to the field of its name (behaviours 8.5); a
 * list is to hold it.
 * @returns `null`: there is none
 */
export function argumentFilter(root: SubscriptionRoot, variables: Operation['variables']): Accepts | null {
  const given = argumentsOf(root, variables)
  const wanted: Wanted[] = []
  for (const [name, value] of Object.entries(given)) {
    const argument = root.operation.arguments.get(name)
    if (argument !== undefined && value !== null) wanted.push({ argument, value })
  }
  if (wanted.length === 0) return null
  return ({ row, shape }) => wanted.every((one) => holds(one, heldBy(row, shape, one.argument.name)))
}

function heldBy(row: ObservedChange['row'], { find }: EntityShape, name: string): unknown {
  const field = find(name)
  return field === undefined ? undefined : row[field.name]
}

function holds({ argument, value }: Wanted, stored: unknown): boolean {
  if (stored === undefined || stored === null) return false
  if (Array.isArray(value)) return value.some((one) => isSame(argument, one, stored))
  return isSame(argument, value, stored)
}

function isSame({ named }: ArgumentModel, given: unknown, stored: unknown): boolean {
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

/** Without zeros that say nothing: `-07.50` is `-7.5`. */
function plain(text: string): string {
  const short = text.replace(/^(-?)0+(?=\d)/, '$1')
  const whole = short.includes('.') ? short.replace(/\.?0+$/, '') : short
  return whole === '-0' ? '0' : whole
}
