import type { SourceLocation } from '../schema/authored.ts'
import type { FieldContext, FieldSpec } from './field-spec.ts'
import { currentRegistry, reportFault } from './registry.ts'
import type { Rule } from './rules.ts'

const MEMBERS: unique symbol = Symbol.for('svc.authoring.members')

// Without the symbol of the proposal, the runtime passes no metadata object to decorators.
const wellKnown = Symbol as { metadata?: symbol }
wellKnown.metadata ??= Symbol.for('Symbol.metadata')

const RULES: unique symbol = Symbol.for('svc.authoring.rules')

interface MemberRules {
  readonly rules: readonly Rule[]
  readonly place: SourceLocation
}

type Metadata = { [MEMBERS]?: Map<string, FieldSpec>; [RULES]?: Map<string, MemberRules> }

/**
 * Stores a field that `@field` declares in the metadata of its class, until the class decorator (`@type`, `@input`)
 * collects it.
 */
export function addMember(context: FieldContext, spec: FieldSpec): void {
  const metadata = context.metadata as Metadata
  const name = String(context.name)
  if (!Object.hasOwn(metadata, MEMBERS)) {
    metadata[MEMBERS] = new Map()
    currentRegistry().pending.push({ metadata, place: spec.place, member: name, claimed: false })
  }
  metadata[MEMBERS]?.set(name, { ...spec, metadata })
}

/**
 * Stores the rules of a `@validate` decorator for its field, in addition to earlier ones. The decorator may be written
 * before or after `@field`.
 */
export function addRules(context: FieldContext, rules: readonly Rule[], place: SourceLocation): void {
  const metadata = context.metadata as Metadata
  const name = String(context.name)
  if (!Object.hasOwn(metadata, RULES)) metadata[RULES] = new Map()
  const before = metadata[RULES]?.get(name)?.rules ?? []
  metadata[RULES]?.set(name, { rules: [...before, ...rules], place })
}

function withRules(level: Metadata, own: ReadonlyMap<string, FieldSpec>): ReadonlyMap<string, FieldSpec> {
  const rules = Object.hasOwn(level, RULES) ? level[RULES] : undefined
  if (rules === undefined) return own
  const fields = new Map(own)
  for (const [name, { rules: added, place }] of rules) {
    const spec = fields.get(name)
    if (spec === undefined) reportFault(place, `@validate stands on "${name}", which has no @field`)
    else fields.set(name, { ...spec, rules: added })
  }
  return fields
}

/**
 * Returns name and declaration of the decorated fields of a class, those of its base classes first. A field that is
 * declared again replaces the inherited one. Marks the fields as collected: a class whose fields are never collected is
 * a fault.
 * @param metadata decorator metadata of the class
 */
export function claimMembers(metadata: object): [string, FieldSpec][] {
  const levels: ReadonlyMap<string, FieldSpec>[] = []
  for (let level: object | null = metadata; level !== null; level = Object.getPrototypeOf(level)) {
    const own = Object.hasOwn(level, MEMBERS) ? (level as Metadata)[MEMBERS] : undefined
    if (own === undefined) continue
    levels.unshift(withRules(level as Metadata, own))
    for (const pending of currentRegistry().pending) if (pending.metadata === level) pending.claimed = true
  }
  return [...new Map(levels.flatMap(inSourceOrder))]
}

function inSourceOrder(level: ReadonlyMap<string, FieldSpec>): [string, FieldSpec][] {
  return [...level].sort(([, a], [, b]) => a.order - b.order)
}

/**
 * Tests whether a decorator that needs arguments is written without parentheses (`@observer` instead of
 * `@observer({ … })`). The runtime then passes the decorated member where the options belong.
 * @param second second argument of the call
 * @returns the name of the member; `null`: the decorator is written with parentheses
 */
export function bareMember(second: unknown): string | null {
  const isContext = typeof second === 'object' && second !== null && 'kind' in second && 'addInitializer' in second
  return isContext ? String((second as DecoratorContext).name) : null
}

/**
 * Checks that a decorator is applied to a valid kind of class or member.
 * @param kinds valid kinds, as in `context.kind`
 * @returns the fault as the end of a sentence that starts with the decorator's name; `null` when the target is valid
 */
export function decoratorFault(context: unknown, kinds: readonly string[]): string | null {
  if (typeof context !== 'object' || context === null || !('kind' in context)) {
    return 'is called in the old decorator style. Remove experimentalDecorators from the compiler options'
  }
  const { kind, name } = context as DecoratorContext
  if (kinds.includes(kind)) {
    const isPrivate = kind !== 'class' && (context as ClassMemberDecoratorContext).private
    return isPrivate ? `stands on the private member ${String(name)}` : null
  }
  return `stands on the ${kind} "${String(name)}". It belongs on a ${kinds[0]}`
}
