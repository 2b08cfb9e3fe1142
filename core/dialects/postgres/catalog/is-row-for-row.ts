/** What PostgreSQL's deparser puts in quotes: texts, and names that need them. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g
const INNERMOST = /\([^()]*\)/g
/** One relation, with or without an alias, and what can only leave rows out or sort them. */
const SIMPLE =
  /^\s*SELECT\b(?:(?!\bFROM\b)[\s\S])*\bFROM\s+(?:ONLY\s+)?[\w.$]+(?:\s+\w+)?\s*(?:\b(?:WHERE|ORDER BY|LIMIT|OFFSET|FETCH)\b[\s\S]*)?;?\s*$/
const COMBINES = /\b(?:JOIN|UNION|INTERSECT|EXCEPT|WITH|GROUPING|ROLLUP|CUBE|LATERAL|TABLESAMPLE)\b/

/**
 * Does each row of the view come from a row of its own of one relation? Never claims it wrongly.
 * @param definition as `pg_get_viewdef` writes it
 * @param setReturning names of functions that may give several rows for one
 */
export function isRowForRow(definition: string, setReturning: ReadonlySet<string>): boolean {
  for (const [name] of definition.matchAll(/[\w$]+(?=\()/g)) if (setReturning.has(name)) return false
  // A quoted function may give rows too.
  if (/"\(/.test(definition)) return false
  let top = definition.replace(QUOTED, 'q')
  for (let before = ''; before !== top; ) {
    before = top
    top = top.replace(INNERMOST, '#')
  }
  return SIMPLE.test(top) && !COMBINES.test(top)
}
