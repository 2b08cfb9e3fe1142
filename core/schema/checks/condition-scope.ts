import { textToNumbers } from '../../base/util/exact-number.ts'
import { toSnakeCase } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { ExpressionScope } from '../../expression/compile-expression.ts'
import { ExpressionFault } from '../../expression/expression-fault.ts'
import { workOfJob } from '../../expression/pattern/pattern.ts'

/** What the condition of a validation rule can read about the caller of a request. */
export interface RuleCaller {
  readonly subject: string | null
  readonly claims: Readonly<Record<string, unknown>>
  readonly roles: readonly string[]
}

/** Values that the condition of a validation rule can read: the input, the checked value and the caller. */
export interface ConditionFacts {
  /** Values of the input's fields, by their names in the API. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Value of the field that has the rule; `null`: the input as a whole has the rule. */
  readonly value: unknown
  readonly auth: RuleCaller | null
}

/** A field of an input that the condition of a validation rule can refer to. */
export interface ConditionField {
  readonly name: string
  readonly wireName: string
  readonly isList: boolean
  /** `true` if JSON transports the field's numbers as text, so that a condition must convert them: Decimal, BigInt. */
  readonly isNumberText: boolean
  /**
   * What a path in a condition may continue with after this field: the fields of a nested input, `any` key, or `none`.
   */
  readonly members: (() => readonly ConditionField[]) | 'any' | 'none'
}

type Read = (facts: ConditionFacts) => unknown

/**
 * Defines the names that the condition of a validation rule can use (docs/guides/validate-input.md#conditions): fields
 * of the input in any spelling, fields of nested inputs, `value`, `_timestamp`, `_user_id`, `_user_role`, and claims of
 * the token as `_<claim>`.
 * @param fields fields of the input
 * @param own field with the rule; `null`: the input as a whole has the rule
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
    // A condition enables further rules. When a fact about the caller is absent, "!=" is true, so that these rules apply.
    caller: { has: (name) => name.startsWith('_') && findField(fields, name) === undefined, absence: 'differs' },
    names: () => [...(own === null ? [] : ['value']), ...spelled(fields), ...CALLER.keys()],
  }
}

/**
 * Reads a path into a field. The expression itself looks up the remaining keys in the author's spelling, so the
 * returned value is an object with exactly these keys.
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

function claim(auth: RuleCaller | null, name: string): unknown {
  return auth !== null && Object.hasOwn(auth.claims, name) ? auth.claims[name] : null
}
