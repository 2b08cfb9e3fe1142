/** Keys and indexes from the root of the configuration to a value. */
export type KeyPath = readonly (string | number)[]

/** A nested configuration, as in TOML, JSON and JavaScript. */
export type Table = { [key: string]: unknown }

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** Prints a path: `server.port`, `plugins.use[0].path`, `svc.validation."User.email"`. */
export function printKey(path: KeyPath): string {
  let printed = ''
  for (const part of path) {
    if (typeof part === 'number') printed += `[${part}]`
    else printed += (printed === '' ? '' : '.') + (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))
  }
  return printed
}

/** Merges two tables key by key. The value of `over` wins, unless both values are tables, which are merged. */
export function mergeTables(base: Readonly<Table>, over: Readonly<Table>): Table {
  const merged: Table = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] = isTable(value) && isTable(below) ? mergeTables(below, value) : value
  }
  return merged
}

/** Returns the value at a path, `undefined` when there is none. */
export function valueAt(root: unknown, path: KeyPath): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

/** Sets the value at a path of keys, and creates missing tables. */
export function setAt(root: Table, path: readonly string[], value: unknown): void {
  let table = root
  for (const part of path.slice(0, -1)) {
    if (!Object.hasOwn(table, part) || !isTable(table[part])) table[part] = {}
    table = table[part] as Table
  }
  const last = path.at(-1)
  if (last !== undefined) table[last] = value
}
