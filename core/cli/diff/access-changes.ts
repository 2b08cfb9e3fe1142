import type { CompiledSchema } from '../../schema/compiled.ts'
import { type Report, show } from './change.ts'

/** Requirements of an operation or a field. SDL and tools do not show them. */
interface Guarded {
  readonly wire_name: string
  readonly requires_role?: string | readonly string[]
  readonly requires_scope?: string
  readonly requires_policy?: string
  readonly authenticated?: boolean
  readonly api_key_required?: boolean
  readonly public?: boolean
  /** Claims that fill parameters. A caller without one is refused. */
  readonly inject?: Readonly<Record<string, string>>
}

const DEMANDS = ['requires_role', 'requires_scope', 'requires_policy', 'authenticated', 'api_key_required'] as const

/**
 * Reports changed access rules of operations and fields, such as required roles and scopes, between two versions of a
 * schema. A stricter rule is breaking, because callers may lack what it requires.
 */
export function compareAccess(before: CompiledSchema, after: CompiledSchema, report: Report): void {
  for (const [root, kind] of [
    ['Query', 'queries'],
    ['Mutation', 'mutations'],
    ['Subscription', 'subscriptions'],
  ] as const)
    compareAll(before[kind], after[kind], root, report)
  for (const type of after.types) {
    const known = before.types.find(({ name }) => name === type.name)
    if (known !== undefined) compareAll(known.fields, type.fields, type.name, report)
  }
}

function compareAll(before: readonly Guarded[], after: readonly Guarded[], parent: string, report: Report): void {
  const known = new Map(before.map((one) => [one.wire_name, one]))
  for (const now of after) {
    const old = known.get(now.wire_name)
    if (old !== undefined) compareGuards(old, now, `${parent}.${now.wire_name}`, report)
  }
}

function compareGuards(before: Guarded, after: Guarded, place: string, report: Report): void {
  for (const key of DEMANDS) {
    const [old, now] = [before[key] ?? false, after[key] ?? false]
    if (show(old) === show(now)) continue
    const message = `${key} changed from ${show(old)} to ${show(now)}.`
    if (now === false) report('safe', 'ACCESS_WIDENED', place, message)
    else if (old !== false && includesAll(old, now)) report('safe', 'ACCESS_WIDENED', place, message)
    else report('breaking', 'ACCESS_NARROWED', place, message)
  }
  const claims = Object.values(before.inject ?? {})
  for (const claim of Object.values(after.inject ?? {}))
    if (!claims.includes(claim)) report('breaking', 'CLAIM_REQUIRED', place, `Callers need ${claim} now.`)
  const [wasPublic, isPublic] = [before.public === true, after.public === true]
  if (wasPublic && !isPublic)
    report('breaking', 'ACCESS_NARROWED', place, 'It is no longer public: callers may need a credential.')
  if (!wasPublic && isPublic) report('safe', 'ACCESS_WIDENED', place, 'It is public now.')
}

/** A caller needs one role of a list. Does `after` contain every role of `before`? */
function includesAll(before: unknown, after: unknown): boolean {
  return Array.isArray(after) && (Array.isArray(before) ? before : [before]).every((one) => after.includes(one))
}
