/** A configuration as dotted keys and texts: `server.port` → `"8080"`. Lists and empty sections are JSON. */
export function flattenConfig(config: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(leavesOf(config, ''))
}

function leavesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
  }
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .flatMap(([key, part]) => leavesOf(part, path === '' ? key : `${path}.${key}`))
}
