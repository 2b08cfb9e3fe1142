import type { Auth } from '../contract/exchange.ts'
import type { ExpressionScope } from '../expression/compile-expression.ts'
import { numberOf } from '../util/exact-number.ts'
import { toSnakeCase } from '../util/naming.ts'

/** What the condition of a rule is asked about. */
export interface ConditionFacts {
  /** The input, by names on the wire. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Of the field that the rule stands on; `null` on the input itself. */
  readonly value: unknown
  readonly auth: Auth | null
}

/** A field as conditions may name it. */
export interface ConditionField {
  readonly name: string
  readonly wireName: string
  /** Its values are numbers that travel as texts: Decimal, BigInt. */
  readonly isNumberText: boolean
}

type Read = (facts: ConditionFacts) => unknown

/**
 * What conditions of one input may speak of (behaviours 19.3): its fields in every spelling, `value`, `_timestamp`,
 * `_user_id`, `_user_role`, and other claims as `_claim`.
 * @param hasValue does the rule stand on a field?
 */
export function conditionScope(fields: readonly ConditionField[], hasValue: boolean): ExpressionScope<ConditionFacts> {
  const reads = new Map<string, Read>()
  if (hasValue) reads.set('value', ({ value }) => value)
  for (const field of fields) {
    for (const name of [toSnakeCase(field.name), field.wireName, field.name]) reads.set(name, readOf(field))
  }
  return {
    variable: (name) => reads.get(name) ?? (name.startsWith('_') ? callerFact(name) : null),
    names: () => [...reads.keys(), ...CALLER.keys()],
  }
}

function readOf({ wireName, isNumberText }: ConditionField): Read {
  const read: Read = ({ fields }) => (Object.hasOwn(fields, wireName) ? fields[wireName] : null)
  if (!isNumberText) return read
  return (facts) => {
    const value = read(facts)
    return typeof value === 'string' ? numberOf(value) : value
  }
}

const CALLER: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['_timestamp', () => new Date()],
  ['_user_id', ({ auth }) => auth?.subject ?? null],
  ['_user_role', ({ auth }) => claim(auth, 'role') ?? auth?.roles[0] ?? null],
])

function callerFact(name: string): Read {
  return CALLER.get(name) ?? (({ auth }) => claim(auth, name.slice(1)))
}

function claim(auth: Auth | null, name: string): unknown {
  return auth !== null && Object.hasOwn(auth.claims, name) ? auth.claims[name] : null
}
