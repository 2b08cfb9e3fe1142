/** Matches quoted parts in view definitions of PostgreSQL: texts, and names that need quotes. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g
const INNERMOST = /\([^()]*\)/g
/** Matches a query of one relation, with or without an alias, and clauses that only omit or sort rows. */
const SIMPLE =
  /^\s*SELECT\b(?:(?!\bFROM\b)[\s\S])*\bFROM\s+(?:ONLY\s+)?[\w.$]+(?:\s+\w+)?\s*(?:\b(?:WHERE|ORDER BY|LIMIT|OFFSET|FETCH)\b[\s\S]*)?;?\s*$/
const COMBINES = /\b(?:JOIN|UNION|INTERSECT|EXCEPT|WITH|GROUPING|ROLLUP|CUBE|LATERAL|TABLESAMPLE)\b/

/**
 * Tests whether each row of a view shows exactly one row of a single relation, and no two rows of the view show the
 * same one. `true` is proven; `false` may also mean that the definition is too complex to decide.
 * @param definition as `pg_get_viewdef` writes it
 * @param setReturning names of functions that may return several rows per call
 */
export function isRowForRow(definition: string, setReturning: ReadonlySet<string>): boolean {
  for (const [name] of definition.matchAll(/[\w$]+(?=\()/g)) if (setReturning.has(name)) return false
  // A function with a quoted name may return several rows, too.
  if (/"\(/.test(definition)) return false
  let top = definition.replace(QUOTED, 'q')
  for (let before = ''; before !== top; ) {
    before = top
    top = top.replace(INNERMOST, '#')
  }
  return SIMPLE.test(top) && !COMBINES.test(top)
}
