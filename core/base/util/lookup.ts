/**
 * Looks up a value by name in the claims of a token or in the context of a request. The name is tried as a literal key,
 * then as a path with dots. In a path, a key that contains dots must be quoted:
 * `resource_access."shop.example.com".roles`.
 * @returns `undefined` when there is no value
 */
export function lookup(values: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name]
  let value: unknown = values
  for (const part of keysOf(name)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** Most cached paths. Configuration and schema have few; the limit is for plugins that generate names. */
const MOST_KEPT = 1000
const kept = new Map<string, readonly string[]>()

function keysOf(name: string): readonly string[] {
  let keys = kept.get(name)
  if (keys === undefined) {
    keys = splitPath(name) ?? name.split('.')
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(name, keys)
  }
  return keys
}

const KEY = /(?:"((?:[^"\\]|\\["\\])+)"|([^".]+))(\.|$)/y

/**
 * Splits a path such as `realm_access.roles` into its keys. A key in double quotes may contain dots. `null`: a quote is
 * not closed, or does not enclose a whole key.
 */
export function splitPath(path: string): readonly string[] | null {
  if (!path.includes('"')) return path.split('.')
  const keys: string[] = []
  KEY.lastIndex = 0
  for (;;) {
    const match = KEY.exec(path)
    if (match === null) return null
    keys.push(match[1]?.replace(/\\(["\\])/g, '$1') ?? match[2]!)
    if (match[3] === '') return keys
  }
}

/**
 * Checks the path of a token claim in a configuration or a schema.
 * @returns the error message; `null`: the path is valid
 */
export function claimPathFault(path: string): string | null {
  if (splitPath(path) !== null) return null
  return `${JSON.stringify(path)} is no path of a claim: a key that holds dots stands in double quotes as a whole, such as resource_access."shop.example.com".roles`
}
