import type { SourceLocation } from '../schema/authored.ts'
import { decoratorFault } from './members.ts'
import { placeAbove } from './place.ts'
import { currentRegistry, type EmitScope, reportFault } from './registry.ts'

/**
 * An access decorator, such as the result of `role('admin')`. The author writes it before `@query`, `@mutation` or
 * `@field`.
 */
export type AccessMark = (value: unknown, context: ClassMemberDecoratorContext) => void

/** The access rules that the decorators of one class member declare, as keys and values of `schema.json`. */
export interface MemberAccess {
  readonly keys: Record<string, unknown>
  readonly place: SourceLocation
  readonly member: string
  claimed: boolean
}

/** The keys of a query, mutation or field in `schema.json` that the decorators of this file can set. */
export const ACCESS_KEYS: readonly string[] = ['authenticated', 'api_key_required', 'requires_scope', 'requires_role']

const ACCESS: unique symbol = Symbol.for('svc.authoring.access')
type Metadata = { [ACCESS]?: Map<string, MemberAccess> }

/**
 * Requires a verified credential for an operation: `@authenticated @query(…)`. The option `authenticated: true` does
 * the same. The service checks the credential, the API key, the scope and the role in that order; the order of the
 * decorators has no effect (docs/plugins/scopes.md).
 */
export function authenticated(): AccessMark
export function authenticated(value: unknown, context: ClassMemberDecoratorContext): void
export function authenticated(...given: readonly unknown[]): unknown {
  return withOrWithoutParentheses(mark('authenticated', { authenticated: true }, placeAbove(authenticated)), given)
}

/** Requires an API key for an operation: `@apiKeyRequired @query(…)`. A token does not satisfy the requirement. */
export function apiKeyRequired(): AccessMark
export function apiKeyRequired(value: unknown, context: ClassMemberDecoratorContext): void
export function apiKeyRequired(...given: readonly unknown[]): unknown {
  return withOrWithoutParentheses(mark('apiKeyRequired', { api_key_required: true }, placeAbove(apiKeyRequired)), given)
}

function withOrWithoutParentheses(own: AccessMark, given: readonly unknown[]): unknown {
  return given.length === 0 ? own : own(given[0], given[1] as ClassMemberDecoratorContext)
}

/**
 * Requires that the caller has all of the scopes: `@requiresScope('read:user') @query(…)`. It can also be applied to a
 * field.
 */
export function requiresScope(...scopes: readonly string[]): AccessMark {
  const place = placeAbove(requiresScope)
  return mark('requiresScope', { requires_scope: checked('requiresScope', scopes, place).join(' ') }, place)
}

/**
 * Requires that the caller has at least one of the roles: `@role('admin', 'owner') @query(…)`. It can also be applied
 * to a field.
 */
export function role(...roles: readonly string[]): AccessMark {
  const place = placeAbove(role)
  const given = checked('role', roles, place)
  return mark('role', { requires_role: given.length === 1 ? given[0] : given }, place)
}

function checked(word: string, texts: readonly unknown[], place: SourceLocation): readonly string[] {
  const good = texts.filter((one): one is string => typeof one === 'string' && one !== '')
  if (good.length === texts.length && good.length > 0) return good
  reportFault(place, `@${word} wants one or more texts: @${word}('…')`)
  return ['?']
}

function mark(word: string, keys: Readonly<Record<string, unknown>>, place: SourceLocation): AccessMark {
  return (_value, context) => {
    const wrong = decoratorFault(context, ['field', 'method', 'getter', 'accessor'])
    if (wrong !== null) return reportFault(place, `@${word} ${wrong}`)
    const metadata = context.metadata as Metadata
    const member = String(context.name)
    if (!Object.hasOwn(metadata, ACCESS)) metadata[ACCESS] = new Map()
    let access = metadata[ACCESS]?.get(member)
    if (access === undefined) {
      access = { keys: {}, place, member, claimed: false }
      metadata[ACCESS]?.set(member, access)
      currentRegistry().marks.push(access)
    }
    for (const [key, value] of Object.entries(keys)) {
      if (Object.hasOwn(access.keys, key)) reportFault(place, `@${word} stands on "${member}" twice. Write it once`)
      access.keys[key] = value
    }
  }
}

/**
 * Combines the keys that the access decorators of a class member (`@role` and others) set with the keys that its
 * options set. Reports a fault for a key that a decorator and an option both set.
 * @param options keys of the field or operation, converted from its options
 * @param metadata decorator metadata of the class; `null`: the declaration is no decorator
 * @returns a new object; `options` is unchanged
 */
export function withMarks(
  options: Readonly<Record<string, unknown>>,
  metadata: object | null,
  member: string,
  scope: Pick<EmitScope, 'fault'>,
): Record<string, unknown> {
  const access =
    metadata === null || !Object.hasOwn(metadata, ACCESS) ? undefined : (metadata as Metadata)[ACCESS]?.get(member)
  if (access === undefined) return { ...options }
  access.claimed = true
  for (const key of Object.keys(access.keys)) {
    if (Object.hasOwn(options, key))
      scope.fault(access.place, `"${member}" has ${key} as decorator and as option. Drop one`)
  }
  return { ...options, ...access.keys }
}
