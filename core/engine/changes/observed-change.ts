import { parseJson, writeJson } from '../../base/util/exact-number.ts'
import type { ChangeEvent } from './change-event.ts'
import type { EntityField, EntityShape } from './entity-shape.ts'

export type ObservedRow = Readonly<Record<string, unknown>>

/**
 * A change event with its rows parsed, for conditions and templates. `now` and `old` are the row after and before the
 * change, `null` if there is none. Rows contain only declared fields, under their declared names.
 */
export interface ObservedChange {
  readonly event: ChangeEvent
  readonly shape: EntityShape
  /** The row after the change; for a delete, the deleted row. */
  readonly row: ObservedRow
  readonly now: ObservedRow | null
  readonly old: ObservedRow | null
  /** Declared names of the fields that an UPDATE changed; empty for other kinds of changes. */
  readonly changed: ReadonlySet<string>
}

export function observe(event: ChangeEvent, shape: EntityShape): ObservedChange {
  const now = event.kind === 'DELETE' ? null : rowOf(event.entity, shape)
  const old = rowOf(event.before, shape)
  return { event, shape, row: now ?? old ?? {}, now, old, changed: changedOf(event, shape, now, old) }
}

function rowOf(text: string | null, { fields }: EntityShape): ObservedRow | null {
  if (text === null) return null
  const parsed: unknown = parseJson(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
  const row: Record<string, unknown> = {}
  for (const field of fields) {
    const value = storedValue(parsed as ObservedRow, field)
    if (value !== undefined) row[field.name] = value
  }
  return row
}

function storedValue(row: ObservedRow, { keys }: EntityField): unknown {
  for (const key of keys) if (Object.hasOwn(row, key)) return row[key]
  return undefined
}

/** Compares the two versions of the row if both are known; otherwise uses the fields that the function reported. */
function changedOf(
  { kind, updatedFields }: ChangeEvent,
  { fields, find }: EntityShape,
  now: ObservedRow | null,
  old: ObservedRow | null,
): ReadonlySet<string> {
  if (kind !== 'UPDATE') return new Set()
  if (now !== null && old !== null) {
    const both = fields.filter(({ name }) => Object.hasOwn(now, name) && Object.hasOwn(old, name))
    return new Set(both.filter(({ name }) => writeJson(now[name]) !== writeJson(old[name])).map(({ name }) => name))
  }
  return new Set((updatedFields ?? []).map((name) => find(name)?.name ?? name))
}
