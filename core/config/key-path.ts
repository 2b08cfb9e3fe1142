/** Path from the root of the configuration to a value: keys of tables and indexes of arrays. */
export type KeyPath = readonly (string | number)[]

/** A table (object) of the configuration, in the sense of TOML. Its values are scalars, arrays and further tables. */
export type Table = { [key: string]: unknown }

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** Prints the path of a configuration value: `server.port`, `plugins.use[0].path`, `svc.validation."User.email"`. */
export function printKey(path: KeyPath): string {
  let printed = ''
  for (const part of path) {
    if (typeof part === 'number') printed += `[${part}]`
    else printed += (printed === '' ? '' : '.') + (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))
  }
  return printed
}

/**
 * Merges two configurations into a new one, key by key. The value of `over` wins, but two tables under the same key are
 * merged.
 */
export function mergeTables(base: Readonly<Table>, over: Readonly<Table>): Table {
  const merged: Table = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] = isTable(value) && isTable(below) ? mergeTables(below, value) : value
  }
  return merged
}

/** Returns the configuration value at a path; `undefined`: there is none. */
export function valueAt(root: unknown, path: KeyPath): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

/**
 * Sets the configuration value at a path, in place, and creates missing tables. A value of another type on the path is
 * replaced by a table.
 */
export function setAt(root: Table, path: readonly string[], value: unknown): void {
  let table = root
  for (const part of path.slice(0, -1)) {
    if (!Object.hasOwn(table, part) || !isTable(table[part])) table[part] = {}
    table = table[part] as Table
  }
  const last = path.at(-1)
  if (last !== undefined) table[last] = value
}
