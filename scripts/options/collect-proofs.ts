import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A test with a mark of the options that it proves: `// proves: field.column type.relay` above it. */
export interface Proof {
  readonly id: string
  /** Relative to the repository, with `/`. */
  readonly file: string
  readonly line: number
  readonly title: string
  /** Whether the file opens a real database. */
  readonly hasDatabase: boolean
}

const MARK = /^\s*\/\/ proves: (.+)$/
const TEXT = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/.source
/** `t.test('title', …)`, on one line or more, and the first text of a row in a table of cases: `['title', …`. */
const TITLE = new RegExp(`^\\s*(?:\\S.*\\btest\\(|\\[)\\s*(?:${TEXT})`)
const DATABASE =
  /\b(eachDatabase|createPglite|createPostgresDatabase|createSqlite|openTestDatabase|openPglite|runService)\b/

/**
 * Collects the marks of all test files, without running any.
 * @throws Error where no test follows a mark
 */
export function collectProofs(root: string): readonly Proof[] {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join(root, 'test', file))
    .sort()
  return files.flatMap((path) => proofsIn(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')))
}

/** @param file for messages and the table */
export function proofsIn(file: string, text: string): readonly Proof[] {
  const lines = text.split('\n')
  const hasDatabase = DATABASE.test(text)
  return lines.flatMap((line, index) => {
    const ids = MARK.exec(line)?.[1]
      ?.split(/[\s,]+/)
      .filter((id) => id !== '')
    if (ids === undefined) return []
    let next = index + 1
    while (MARK.test(lines[next] ?? '')) next += 1
    const found = TITLE.exec(lines.slice(next, next + 3).join('\n'))
    if (found === null) throw new Error(`${file}:${index + 1}: no test follows "// proves: …".`)
    const title = (found[1] ?? found[2] ?? found[3] ?? '').replaceAll(/\\(['"`])/g, '$1')
    return ids.map((id) => ({ id, file, line: next + 1, title, hasDatabase }))
  })
}
