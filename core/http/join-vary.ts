/** Of the few pairs that a service makes; it has no more than plugins and routes. */
const joined = new Map<string, string>()
const MOST_PAIRS = 200

/** One list of both, each name once, however it is written; `*` is all of them (RFC 9110, 12.5.5). */
export function joinVary(own: string, more: string): string {
  const pair = `${own}\n${more}`
  let list = joined.get(pair)
  if (list === undefined) {
    const names = [...own.split(','), ...more.split(',')].map((name) => name.trim()).filter((name) => name !== '')
    const byName = new Map<string, string>()
    for (const name of names) if (!byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), name)
    list = byName.has('*') ? '*' : [...byName.values()].join(', ')
    if (joined.size < MOST_PAIRS) joined.set(pair, list)
  }
  return list
}
