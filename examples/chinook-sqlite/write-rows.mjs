/** Writes db/02_data.sql: the rows of ../chinook in the notation of SQLite. They are not kept twice in the repository. */
import { readFileSync, writeFileSync } from 'node:fs'

const rows = readFileSync(new URL('../chinook/db/02_data.sql', import.meta.url), 'utf8')
  // Strings without the N of SQL Server; each string stays whole, so that nothing in it is taken for something else.
  .replace(/N?'((?:[^']|'')*)'/g, (_found, text) => `'${toIsoDate(text)}'`)
  // Exact decimals are kept as their texts.
  .replace(/(?<=, )(\d+\.\d\d)(?=[,)])/g, "'$1'")
writeFileSync(new URL('db/02_data.sql', import.meta.url), rows.replace('LICENSE.md in this folder', 'in ../../chinook/db/LICENSE.md'))

/** `2021/11/7` → `2021-11-07` */
function toIsoDate(text) {
  const [, year, month, day] = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
