import { readFile, writeFile } from 'node:fs/promises'
import { formatSql, unformatSql } from './format-sql.ts'

/** Whether the golden files are written again: with `SVC_UPDATE_GOLDEN=1`, except in CI. */
export const UPDATES_GOLDEN = process.env.SVC_UPDATE_GOLDEN === '1' && process.env.CI === undefined

interface GoldenTest {
  equal(found: unknown, wanted: unknown, message: string): unknown
  same(found: unknown, wanted: unknown, message: string): unknown
}

/**
 * Compares statements with a golden file, which holds them formatted over several lines, in sections. It removes the
 * layout of the file and compares the statements byte for byte, then it compares the layout.
 *
 * @param sections the statements of each section, by its title
 */
export async function matchGoldenSql(
  t: GoldenTest,
  path: string,
  sections: Readonly<Record<string, readonly string[]>>,
  update = UPDATES_GOLDEN,
): Promise<void> {
  const layout = Object.entries(sections)
    .map(([title, statements]) => `${TITLE}${title}\n${statements.map(formatSql).join(BETWEEN)}\n`)
    .join('\n')
  if (update) await writeFile(path, layout)
  const golden = await readFile(path, 'utf8')
  t.same(readSections(golden), sections, `the statements of ${path}`)
  t.equal(golden, layout, `the layout of ${path}`)
}

const TITLE = '-- '
const BETWEEN = '\n;\n'

function readSections(golden: string): Record<string, readonly string[]> {
  const sections = golden.slice(TITLE.length, -1).split(`\n\n${TITLE}`)
  return Object.fromEntries(
    sections.map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return [title, lines.join('\n').split(BETWEEN).map(unformatSql)]
    }),
  )
}
