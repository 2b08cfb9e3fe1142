import type { SchemaModel } from '../../core/doors/plugin.ts'

/**
 * The views that a pattern means: those whose own name fits, and those of queries whose name, with a colon behind, does
 * (`posts:*`).
 * @param pattern `*` stands for any characters
 */
export function matchViews({ sources, queries }: SchemaModel, pattern: string): readonly string[] {
  const fits = matcherOf(pattern)
  const names = new Map([...sources].map(([name, source]) => [source, name]))
  const ofQueries = [...queries.values()]
    .filter(({ name, wireName }) => fits(`${name}:`) || fits(`${wireName}:`))
    .flatMap(({ source }) => names.get(source) ?? [])
  return [...new Set([...[...sources.keys()].filter((name) => fits(name)), ...ofQueries])]
}

/** In one pass: a regular expression of many `.*` would try them against each other. */
function matcherOf(pattern: string): (name: string) => boolean {
  const [head = '', ...parts] = pattern.split('*')
  const tail = parts.pop()
  if (tail === undefined) return (name) => name === pattern
  return (name) => {
    if (!name.startsWith(head)) return false
    let at = head.length
    for (const part of parts) {
      const found = name.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return name.length - tail.length >= at && name.endsWith(tail)
  }
}
