const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g
const PLACEHOLDER = /\{[A-Za-z_][\w.]*\}/
const QUOTED_OR_PLACEHOLDER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\{([A-Za-z_][\w.]*)\}/g

/**
 * Checks the option `row_filter`, which is an SQL condition of the author: it must be valid inside parentheses, and its
 * `{placeholders}` must be names.
 * @returns the problem; `null`: the condition is valid
 */
export function rowFilterProblem(text: string): string | null {
  for (const [quoted] of text.matchAll(QUOTED)) {
    if (!PLACEHOLDER.test(quoted)) continue
    return `a placeholder stands inside the quotes of ${quoted}. Write it bare: it is bound as a value. (An array literal is ARRAY['…'].)`
  }
  const outside = text.replace(QUOTED, '?')
  if (/['"]/.test(outside)) return 'a quote is not closed.'
  if (/;|--|\/\*|\$\d/.test(outside)) {
    return 'it is one condition, without ";", comments or "$1". Values from the request are {name}.'
  }
  for (const [braces] of outside.matchAll(/\{[^{}]*\}/g)) {
    if (!PLACEHOLDER.test(braces)) return `"${braces}" is no placeholder. Write a name: {tenant_id}.`
  }
  if (/[{}]/.test(outside.replace(/\{[^{}]*\}/g, ''))) return 'a brace is not closed.'
  let depth = 0
  for (const char of outside) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (depth < 0) break
  }
  return depth === 0 ? null : 'its parentheses do not match.'
}

/** Splits the option `row_filter` into SQL and names of `{placeholders}`, in order. Braces inside quotes are SQL. */
export function splitRowFilter(text: string): readonly ({ readonly sql: string } | { readonly placeholder: string })[] {
  const parts: ({ readonly sql: string } | { readonly placeholder: string })[] = []
  let end = 0
  for (const match of text.matchAll(QUOTED_OR_PLACEHOLDER)) {
    if (match[1] === undefined) continue
    parts.push({ sql: text.slice(end, match.index) }, { placeholder: match[1] })
    end = match.index + match[0].length
  }
  parts.push({ sql: text.slice(end) })
  return parts
}
