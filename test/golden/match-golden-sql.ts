import { readFile, writeFile } from 'node:fs/promises'
import { formatSql, unformatSql } from './format-sql.ts'

/** Whether the golden files are written again: with `SVC_UPDATE_GOLDEN=1`, except in CI. */
export const UPDATES_GOLDEN = process.env.SVC_UPDATE_GOLDEN === '1' && process.env.CI === undefined

interface GoldenTest {
  equal(found: unknown, wanted: unknown, message: string): unknown
  same(found: unknown, wanted: unknown, message: string): unknown
}

/**
 * Compares statements with a golden file, which holds them formatted over several lines. It removes the layout of the
 * file and compares the statements byte for byte, then it compares the layout.
 *
 * @param separator the line between two statements
 */
export async function matchGoldenSql(
  t: GoldenTest,
  path: string,
  statements: readonly string[],
  { separator = ';', update = UPDATES_GOLDEN }: { readonly separator?: string; readonly update?: boolean } = {},
): Promise<void> {
  const between = `\n${separator}\n`
  const formatted = `${statements.map(formatSql).join(between)}\n`
  if (update) await writeFile(path, formatted)
  const golden = await readFile(path, 'utf8')
  t.same(golden.slice(0, -1).split(between).map(unformatSql), statements, `the statements of ${path}`)
  t.equal(golden, formatted, `the layout of ${path}`)
}
