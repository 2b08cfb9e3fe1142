import { readdir, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import t from 'tap'
import { formatSql, unformatSql } from './format-sql.ts'

const GOLDEN = ['read', 'write'].map((folder) => new URL(`${folder}/`, import.meta.url))

const PIECES = [
  ' ',
  '  ',
  '\n',
  '\n    ',
  '(',
  ')',
  '[',
  ']',
  ',',
  "'",
  '"',
  '$',
  '$$',
  '$1',
  '||',
  '--',
  '/*',
  '*/',
  '\\',
]
const WORDS = ['SELECT', 'FROM', 'WHERE', 'AND', 'OR', 'JOIN', 'CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'r$', 'é', '12']

t.test('removing the layout gives back any statement', (t) => {
  const piece = fc.constantFrom(...PIECES, ...WORDS, ...WORDS.map((word) => ` ${word} `))
  const statement = fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join(''))
  const padded = statement.map((text) => `${text} ${'x'.repeat(100)}`)
  fc.assert(
    fc.property(fc.oneof(statement, padded), (sql) => unformatSql(formatSql(sql)) === sql),
    { numRuns: 5000 },
  )
  t.end()
})

t.test('different statements have different layouts', (t) => {
  for (const [one, other] of [
    ['a AND b', 'a\nAND b'],
    ['a\n  AND b', 'a\n   AND b'],
    [`(${'x'.repeat(100)})`, `( ${'x'.repeat(100)} )`],
    [`'a  b'`, `'a b'`],
  ] as const) {
    t.not(formatSql(one), formatSql(other))
  }
  t.end()
})

t.test('a line breaks at clauses, and not inside strings', (t) => {
  const name = 'x'.repeat(60)
  t.equal(
    formatSql(`SELECT "${name} FROM a" AS b, 'it''s FROM here' AS c FROM (SELECT 1) d WHERE e = f\n    AND g = ($1)`),
    [
      `SELECT "${name} FROM a" AS b,`,
      "  'it''s FROM here' AS c",
      'FROM (SELECT 1) d',
      'WHERE e = f↵4',
      '  AND g = ($1)',
    ].join('\n'),
  )
  t.equal(formatSql('SELECT 1 FROM a WHERE b'), 'SELECT 1 FROM a WHERE b', 'a short statement stays on one line')
  t.throws(() => formatSql("SELECT '↵'"), /cannot be formatted/)
  t.end()
})

t.test('no line of a golden file is long', async (t) => {
  for (const folder of GOLDEN) {
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql'))) {
      const lines = (await readFile(new URL(file, folder), 'utf8')).split('\n')
      const long = lines.map((line) => line.replace(/'(?:[^']|'')*'/g, "''")).filter((line) => line.length > 110)
      t.same(long, [], `${file}, apart from strings`)
    }
  }
})
