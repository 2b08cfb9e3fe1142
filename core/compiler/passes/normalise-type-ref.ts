import { parseTypeRef, printTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import type { Report } from '../ground/report.ts'
import type { Raw } from './raw.ts'

/** Spellings of built-in scalars in other authoring languages. */
const SCALAR_ALIASES: Readonly<Record<string, string>> = { Json: 'JSON' }

/**
 * Replaces the keys `nullable` and `list` of a field or argument by GraphQL notation in `type`, in place. A `!`
 * together with `nullable: true` is a fault. A `type` that is no GraphQL notation is left for the check of references.
 * @param label name of the field or argument, for messages
 */
export function normaliseTypeRef(element: Raw, label: string, report: Report): void {
  const { type, nullable, list } = element
  if (typeof type !== 'string') return
  const parsed = parseTypeRef(type)
  if (parsed === null) return
  let ref = renameScalars(parsed)
  if (typeof list === 'boolean') {
    if (list && ref.kind === 'named') ref = { kind: 'list', of: { ...ref, nullable: false }, nullable: ref.nullable }
    else if (!list && ref.kind === 'list') {
      report.fault(
        'conflicting-keys',
        `${label} is "${type}" and says list: false. Keep the notation of "type".`,
        element,
      )
    }
    delete element.list
  }
  if (typeof nullable === 'boolean') {
    if (nullable && !ref.nullable) {
      report.fault(
        'conflicting-keys',
        `${label} is "${type}" and says nullable: true. Drop the "!" or "nullable".`,
        element,
      )
    } else if (!nullable) ref = { ...ref, nullable: false }
    delete element.nullable
  }
  element.type = printTypeRef(ref)
}

function renameScalars(ref: TypeRef): TypeRef {
  if (ref.kind === 'list') return { ...ref, of: renameScalars(ref.of) }
  return { ...ref, name: Object.hasOwn(SCALAR_ALIASES, ref.name) ? (SCALAR_ALIASES[ref.name] ?? ref.name) : ref.name }
}
