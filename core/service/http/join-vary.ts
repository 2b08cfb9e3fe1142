/** Results by pair of lists. A service has few pairs: their number depends on plugins and routes only. */
const joined = new Map<string, string>()
const MOST_PAIRS = 200

/**
 * Joins the values of two `Vary` headers. Each name is listed once, regardless of case; `*` stands for all names (RFC
 * 9110, 12.5.5).
 */
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
