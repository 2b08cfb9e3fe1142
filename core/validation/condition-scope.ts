import type { Auth } from '../contract/exchange.ts'
import type { ExpressionScope } from '../expression/compile-expression.ts'
import { ExpressionFault } from '../expression/expression-fault.ts'
import { workOfJob } from '../expression/pattern/pattern.ts'
import { textToNumbers } from '../util/exact-number.ts'
import { toSnakeCase } from '../util/naming.ts'
import { didYouMean, listNames } from '../util/nearest.ts'

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
  readonly isList: boolean
  /** Its values are numbers that travel as texts: Decimal, BigInt. */
  readonly isNumberText: boolean
  /** What a path may go on with: the fields of an input; `any` key; `none`. */
  readonly members: (() => readonly ConditionField[]) | 'any' | 'none'
}

type Read = (facts: ConditionFacts) => unknown

/**
 * What conditions of one input may speak of (behaviours 19.3): its fields in every spelling, those of inputs in them,
 * `value`, `_timestamp`, `_user_id`, `_user_role`, and other claims as `_claim`.
 * @param own the field that the rule stands on; `null`: it stands on the input
 */
export function conditionScope(
  fields: readonly ConditionField[],
  own: ConditionField | null,
): ExpressionScope<ConditionFacts> {
  return {
    variable(name, rest) {
      const field = findField(fields, name)
      if (field !== undefined) return readPath(field, ({ fields: held }) => member(held, field), rest)
      if (own !== null && name === 'value') return readPath(own, ({ value }) => value, rest)
      return name.startsWith('_') ? callerFact(name) : null
    },
    patternWork: workOfJob,
    // A condition demands further rules: where a fact is absent, "!=" holds and the rules apply.
    caller: { has: (name) => name.startsWith('_') && findField(fields, name) === undefined, absence: 'differs' },
    names: () => [...(own === null ? [] : ['value']), ...spelled(fields), ...CALLER.keys()],
  }
}

/**
 * Reads what a path leads to, each key in the spelling of the author's. The path goes on from the field by its keys, so
 * it gets an object that has them.
 */
function readPath(field: ConditionField, read: Read, rest: readonly string[]): Read {
  const [key, ...further] = rest
  if (key === undefined) return field.isNumberText ? (facts) => textToNumbers(read(facts)) : read
  const { members, isList, name } = field
  if (members === 'any') return read
  if (isList) throw new ExpressionFault(`"${name}" is a list, which has no "${key}"`, 1)
  if (members === 'none') throw new ExpressionFault(`"${name}" has no fields, and so no "${key}"`, 1)
  const inner = members()
  const found = findField(inner, key)
  if (found === undefined) {
    const known = inner.map((one) => one.name)
    const hint = didYouMean(key, known) || ` It has: ${listNames(known)}.`
    throw new ExpressionFault(`"${name}" has no field "${key}".${hint}`, 1)
  }
  const within = readPath(found, (facts) => member(read(facts), found), further)
  return (facts) => Object.assign(Object.create(null), { [key]: within(facts) })
}

function member(held: unknown, { wireName }: ConditionField): unknown {
  return typeof held === 'object' && held !== null && Object.hasOwn(held, wireName)
    ? (held as Record<string, unknown>)[wireName]
    : null
}

function findField(fields: readonly ConditionField[], written: string): ConditionField | undefined {
  return (
    fields.find(({ name }) => name === written) ??
    fields.find(({ name, wireName }) => wireName === written || toSnakeCase(name) === written)
  )
}

function spelled(fields: readonly ConditionField[]): readonly string[] {
  return [...new Set(fields.flatMap(({ name, wireName }) => [toSnakeCase(name), wireName, name]))]
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
