import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { Rule, RuleType } from '../../schema/rules.ts'
import { checkRule } from './check-rule.ts'
import type { RulePlace } from './rule-place.ts'
import { READERS } from './rule-readers.ts'

/** Options of `validate` that set one bound of a rule: `min_length` sets `min` of `length`. */
const ENDS = {
  min_length: ['length', 'min'],
  max_length: ['length', 'max'],
  minimum: ['range', 'min'],
  maximum: ['range', 'max'],
} as const

/** Names of all validation rules that an object of rules may contain, and `message`. */
export const RULE_WORDS: readonly string[] = [...READERS.keys(), ...Object.keys(ENDS), 'message']

/**
 * Converts authored validation rules in any spelling (docs/guides/validate-input.md#the-rules) to those of the compiled
 * schema: a word, an object of rules, `{ type, value }`, or a list of these. Invalid rules, and rules that do not fit
 * the type of their field, are reported and left out.
 */
export function readRules(given: unknown, place: RulePlace): readonly Rule[] {
  if (Array.isArray(given)) return given.flatMap((item) => readRules(item, place))
  if (typeof given === 'string') return readOne(given, undefined, undefined, place)
  if (typeof given !== 'object' || given === null) {
    place.fault('a rule is a word, a table or a list of these.')
    return []
  }
  const table = given as Readonly<Record<string, unknown>>
  return typeof table.type === 'string' ? readTyped(table, place) : readTable(table, place)
}

/** Reads the form `{ type = "length", value = { min = 3 } }`. */
function readTyped(table: Readonly<Record<string, unknown>>, place: RulePlace): readonly Rule[] {
  const { type, value, message, ...rest } = table
  const [other] = Object.keys(rest)
  if (other === undefined) return readOne(String(type), value, message, place)
  place.fault(`{ type, value } has no "${other}". What the rule wants stands in value.`)
  return []
}

function readTable(table: Readonly<Record<string, unknown>>, place: RulePlace): readonly Rule[] {
  const { message, ...words } = table
  const byType = new Map<string, unknown>()
  for (const [word, value] of Object.entries(words)) {
    const end = Object.hasOwn(ENDS, word) ? ENDS[word as keyof typeof ENDS] : null
    const type = end?.[0] ?? word
    if (byType.has(type) && (end === null || !isBounds(byType.get(type)))) {
      place.fault(`has "${type}" twice, as "${word}" too. Keep one.`)
      continue
    }
    if (end === null) byType.set(type, value)
    else byType.set(type, { ...(byType.get(type) as object | undefined), [end[1]]: value, [FROM_ENDS]: true })
  }
  if (byType.size === 0) place.fault(`says no rule. Rules: ${listNames(RULE_WORDS, 40)}.`)
  return [...byType].flatMap(([type, value]) => readOne(type, value, message, place))
}

/** Marks bounds from `min_length` and the like, to which `max_length` may be added. */
const FROM_ENDS = Symbol('ends')

function isBounds(value: unknown): boolean {
  return typeof value === 'object' && value !== null && FROM_ENDS in value
}

function readOne(type: string, value: unknown, message: unknown, place: RulePlace): readonly Rule[] {
  const read = READERS.get(type as RuleType)
  if (read === undefined) {
    const hint = didYouMean(type, RULE_WORDS) || ` Rules: ${listNames(RULE_WORDS, 40)}.`
    place.fault(`there is no rule "${type}".${hint}`)
    return []
  }
  if (message !== undefined && (typeof message !== 'string' || message === '')) {
    place.fault('message wants a text.')
    return []
  }
  const fault = (what: string): void => place.fault(`${type}: ${what}`)
  const rules = read(value, { ...place, fault })
  const told = message === undefined ? rules : rules.map((rule) => ({ message: message as string, ...rule }))
  return told.filter((rule) => checkRule(rule, { ...place, fault }))
}
