export interface Column {
  readonly title: string
  /** Numbers stand to the right. */
  readonly align?: 'left' | 'right'
}

/** A Markdown table whose columns line up in a terminal too. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, i) => Math.max(3, title.length, ...rows.map((row) => (row[i] ?? '').length)))
  const right = columns.map(({ align }) => align === 'right')
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((w, i) => (right[i] ? (cells[i] ?? '').padStart(w) : (cells[i] ?? '').padEnd(w))).join(' | ')} |`
  const rule = `|${widths.map((w, i) => (right[i] ? `${'-'.repeat(w + 1)}:` : '-'.repeat(w + 2))).join('|')}|`
  return [line(columns.map(({ title }) => title)), rule, ...rows.map(line)].join('\n')
}

/** `['W1', …]` as columns of numbers. */
export const numeric = (...titles: readonly string[]): readonly Column[] =>
  titles.map((title) => ({ title, align: 'right' }))

/** Formats a number with thin spaces between groups of three (`12 345`), or with a number of decimal places. */
export function formatNumber(value: number, digits = 0): string {
  const text = value.toFixed(digits)
  return digits > 0 ? text : text.replace(/\B(?=(\d{3})+$)/g, ' ')
}
