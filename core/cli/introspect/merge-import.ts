/** Longest line of an import. */
const WIDTH = 120

/**
 * Merges the names of an import. Names that the rest of the module does not use, and that the proposal does not need
 * either, stay: they are a person's.
 * @param ours text of the file
 * @param theirs text of the proposal
 * @param rest the other declarations of the merged module
 */
export function mergeImport(ours: string, theirs: string, rest: string): string {
  const own = namesOf(ours)
  const wanted = namesOf(theirs)
  if (own === null || wanted === null) return ours
  const used = wanted.filter((name) => new RegExp(`\\b${localName(name)}\\b`).test(rest))
  const missing = used.filter((name) => !own.includes(name))
  if (missing.length === 0) return ours
  const names = [...own, ...missing].toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en'))
  const [, start = '', end = ''] = /^([^{]*\{)[^}]*(\}.*)$/s.exec(ours) ?? []
  const line = `${start} ${names.join(', ')} ${end}`
  return line.length <= WIDTH ? line : `${start}\n${wrap(names)}\n${end}`
}

function namesOf(text: string): readonly string[] | null {
  const list = /^import [^{]*\{([^}]*)\}/s.exec(text)?.[1]
  if (list === undefined) return null
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** `list as listOf` is `listOf` in the module. */
function localName(name: string): string {
  return name
    .split(/\s+as\s+/)
    .at(-1)!
    .replace(/^type\s+/, '')
}

function wrap(names: readonly string[]): string {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + name.length + 2 <= WIDTH) lines[lines.length - 1] = `${last} ${name},`
    else lines.push(`  ${name},`)
  }
  return lines.join('\n')
}
