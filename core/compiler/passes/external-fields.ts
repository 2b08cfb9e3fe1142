import { toWireName } from '../../base/util/naming.ts'
import type { AuthoredField, AuthoredSchema } from '../../schema/authored.ts'
import { keyTextsOf, parseFieldSet, type SelectedField } from '../../schema/field-set.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'

const known = new WeakMap<AuthoredSchema, ReadonlySet<AuthoredField>>()

/**
 * Is the value of the field only in another subgraph? An external field is read here if it is part of a key, if a field `provides` it, or
 * if it has a declared column or relation.
 */
export function isHeldElsewhere(schema: AuthoredSchema, field: AuthoredField): boolean {
  if (field.external !== true || field.column !== undefined || field.relation !== undefined) return false
  let held = known.get(schema)
  if (held === undefined) {
    held = heldHere(schema)
    known.set(schema, held)
  }
  return !held.has(field)
}

function heldHere(schema: AuthoredSchema): ReadonlySet<AuthoredField> {
  const held = new Set<AuthoredField>()
  const owners = new Map([...(schema.types ?? []), ...(schema.interfaces ?? [])].map((owner) => [owner.name, owner]))

  function hold(typeName: string, selected: readonly SelectedField[]): void {
    for (const { name, fields } of selected) {
      const field = owners.get(typeName)?.fields.find((one) => one.name === name || toWireName(one.name) === name)
      if (field === undefined) continue
      held.add(field)
      if (fields.length > 0) hold(nameOf(field), fields)
    }
  }

  for (const owner of owners.values()) {
    for (const text of keyTextsOf(owner)) hold(owner.name, read(text))
    for (const field of owner.fields) if (field.provides !== undefined) hold(nameOf(field), read(field.provides))
  }
  return held
}

function nameOf({ type }: AuthoredField): string {
  const ref = parseTypeRef(type)
  return ref === null ? '' : namedTypeOf(ref).name
}

/** Parses a selection. A syntax error gives no fields; the plugin `federation` reports it. */
function read(text: string): readonly SelectedField[] {
  try {
    return parseFieldSet(text)
  } catch {
    return []
  }
}
