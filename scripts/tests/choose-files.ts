import { readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The slowest files start first, so that a run does not wait for one at its end. */
const LONG = [
  /^test\/core\/cli\/(?:workers\/|run|init|project-database|command-line)/,
  /^test\/(?:differential|e2e|examples|trim|compose|conformance|scripts)\//,
  /^test\/plugins\/(?:sqlite|pglite|postgres)\//,
]

/**
 * The test files that the patterns name: a file, a folder, or a glob with `*`, `**` and `{a,b}`.
 * @returns paths from the root, in the order to run them in
 * @throws Error: a pattern names nothing
 */
export function chooseFiles(root: string, patterns: readonly string[]): readonly string[] {
  const all = (readdirSync(join(root, 'test'), { recursive: true }) as string[])
    .map((name) => posix.join('test', name.replaceAll('\\', '/')))
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('test/node_modules/'))
  const chosen = patterns.length === 0 ? all : patterns.flatMap((pattern) => matching(root, all, pattern))
  return [...new Set(chosen)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function rank(file: string): number {
  const at = LONG.findIndex((pattern) => pattern.test(file))
  return at === -1 ? LONG.length : at
}

function matching(root: string, all: readonly string[], pattern: string): readonly string[] {
  const path = posix.normalize(pattern.replace(/\/$/, ''))
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true
  const expression = isFolder ? new RegExp(`^${literal(path)}/`) : toExpression(path)
  const found = all.filter((file) => expression.test(file))
  if (found.length === 0) throw new Error(`No test file matches ${pattern}. Test files are test/**/*.test.ts.`)
  return found
}

function toExpression(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*\*|\*|\{[^}]*\})/).map((part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(literal).join('|')})`
    return literal(part)
  })
  return new RegExp(`^${parts.join('')}$`)
}

function literal(text: string): string {
  return text.replace(/[.+^$()|[\]{}\\?]/g, '\\$&')
}
