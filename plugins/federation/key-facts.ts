import { type AuthoredField, type AuthoredSchema, defineKeyFacts } from '../../core/doors/command.ts'
import { toWireName, typeRefs } from '../../core/doors/front.ts'
import { keyTextsOf, parseFieldSet, type SelectedField } from './check/field-set.ts'

/**
 * Facts for the compiler about federation: types with keys are entities, and another subgraph resolves external fields.
 */
export default defineKeyFacts({
  isEntity: (type) => keyTextsOf(type).length > 0,
  waysTo: (type) =>
    keyTextsOf(type).length > 0 && type.resolvable !== false ? ['representations of its keys (_entities)'] : [],
  fieldsElsewhere,
})

/** Returns the external fields. Those that are part of a key, or that a field `provides`, are read here. */
function fieldsElsewhere(schema: AuthoredSchema): ReadonlySet<AuthoredField> {
  const all = [...(schema.types ?? []), ...(schema.interfaces ?? [])]
  const owners = new Map(all.map((owner) => [owner.name, owner]))
  const elsewhere = new Set(all.flatMap(({ fields }) => fields.filter(({ external }) => external === true)))
  if (elsewhere.size === 0) return elsewhere

  function hold(typeName: string, selected: readonly SelectedField[]): void {
    for (const { name, fields } of selected) {
      const field = owners.get(typeName)?.fields.find((one) => one.name === name || toWireName(one.name) === name)
      if (field === undefined) continue
      elsewhere.delete(field)
      if (fields.length > 0) hold(nameOf(field), fields)
    }
  }

  for (const owner of owners.values()) {
    for (const text of keyTextsOf(owner)) hold(owner.name, read(text))
    for (const field of owner.fields) if (field.provides !== undefined) hold(nameOf(field), read(field.provides))
  }
  return elsewhere
}

function nameOf({ type }: AuthoredField): string {
  const ref = typeRefs.parse(type)
  return ref === null ? '' : typeRefs.namedTypeOf(ref).name
}

/** Parses a selection. A syntax error gives no fields; the compile part reports it. */
function read(text: string): readonly SelectedField[] {
  try {
    return parseFieldSet(text)
  } catch {
    return []
  }
}
