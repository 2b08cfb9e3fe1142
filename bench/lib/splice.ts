/**
 * Replaces the content between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`.
 * @throws Error for a part without markers, and for markers without a part
 */
export function spliceParts(page: string, parts: ReadonlyMap<string, string>): string {
  const seen = new Set<string>()
  const spliced = page.replace(
    /(<!-- bench:([a-z-]+) -->\n)[\s\S]*?(<!-- \/bench:\2 -->)/g,
    (_whole, open: string, name: string, close: string) => {
      const part = parts.get(name)
      if (part === undefined) throw new Error(`nothing is generated for the markers of "${name}"`)
      seen.add(name)
      return `${open}\n${part.trim()}\n\n${close}`
    },
  )
  const lost = [...parts.keys()].filter((name) => !seen.has(name))
  if (lost.length > 0) throw new Error(`the page has no markers for ${lost.map((name) => `"${name}"`).join(', ')}`)
  return spliced
}
