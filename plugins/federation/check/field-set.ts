/** A field of a federation field set, with its sub-selection. `fields` is empty for a scalar or an enum. */
export interface SelectedField {
  readonly name: string
  readonly fields: readonly SelectedField[]
}

const TOKEN = /[\s,]*([A-Za-z_]\w*|\S)/gy
const NAME = /^[A-Za-z_]/

/** Parses a federation field set: `sku variation { id }`. @throws Error whose message describes the syntax error */
export function parseFieldSet(text: string): readonly SelectedField[] {
  const tokens = [...text.matchAll(TOKEN)].map((match) => match[1]!)
  let at = 0

  function readFields(closing: string | undefined): readonly SelectedField[] {
    const fields: SelectedField[] = []
    for (;;) {
      const name = tokens[at]
      if (name === closing) break
      if (name === undefined) throw new Error('a brace is not closed')
      if (!NAME.test(name)) throw new Error(`"${name}" is no name of a field; a selection is \`sku variation { id }\``)
      if (fields.some((field) => field.name === name)) throw new Error(`"${name}" stands in it twice`)
      at++
      fields.push({ name, fields: tokens[at] === '{' ? readNested() : [] })
    }
    if (fields.length === 0) throw new Error('nothing is selected')
    return fields
  }

  function readNested(): readonly SelectedField[] {
    at++
    const fields = readFields('}')
    at++
    return fields
  }

  return readFields(undefined)
}

/**
 * Prints selected fields as a federation field set: `sku variation { id }`.
 * @param nameOf returns the name to print for a field, from the names on the path to it
 * @param above path to `fields`, for the recursion
 */
export function printFieldSet(
  fields: readonly SelectedField[],
  nameOf: (path: readonly string[]) => string,
  above: readonly string[] = [],
): string {
  return fields
    .map(({ name, fields: inner }) => {
      const path = [...above, name]
      return inner.length === 0 ? nameOf(path) : `${nameOf(path)} { ${printFieldSet(inner, nameOf, path)} }`
    })
    .join(' ')
}

/**
 * Returns the path to each scalar or enum field of a federation field set.
 * @param above path to `fields`, for the recursion
 */
export function leavesOf(
  fields: readonly SelectedField[],
  above: readonly string[] = [],
): readonly (readonly string[])[] {
  return fields.flatMap(({ name, fields: inner }) =>
    inner.length === 0 ? [[...above, name]] : leavesOf(inner, [...above, name]),
  )
}

/** Returns the entity keys of a type as field sets: those of `keys`, and one for `key_fields`. */
export function keyTextsOf(type: {
  readonly key_fields?: readonly string[]
  readonly keys?: readonly string[]
}): readonly string[] {
  const { key_fields: parts, keys = [] } = type
  return [...(parts === undefined ? [] : [parts.join(' ')]), ...keys]
}
