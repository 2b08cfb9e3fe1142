/**
 * The value of a name in claims or a context: a literal key first, then a path with dots. A key that holds dots itself
 * stands in quotes in a path: `resource_access."shop.example.com".roles`.
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

/** Names come from the configuration and the schema, so that they are few; the bound is for a plugin that makes them up. */
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

/** The keys of a path; `null`: a quote is not closed, or does not enclose a whole key. */
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

/** Describes the error in the path of a claim, as a configuration or a schema writes it; `null`: the path is valid. */
export function claimPathFault(path: string): string | null {
  if (splitPath(path) !== null) return null
  return `${JSON.stringify(path)} is no path of a claim: a key that holds dots stands in double quotes as a whole, such as resource_access."shop.example.com".roles`
}
