import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isTextForPeople, type TreePath } from './is-text-for-people.ts'
import type { MadeMutant } from './made-mutant.ts'

/** The used part of `@stryker-mutator/instrumenter`. */
interface Tool {
  readonly Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly { readonly name: string; readonly mutate: true; readonly content: string }[],
      options: object,
    ): Promise<Instrumented>
  }
}
interface Instrumented {
  readonly files: readonly { readonly name: string; readonly content: string }[]
  readonly mutants: readonly {
    readonly id: string
    readonly fileName: string
    readonly location: { readonly start: Point; readonly end: Point }
    readonly mutatorName: string
    readonly replacement: string
    readonly status?: string
  }[]
}
/** Lines and columns from 0. */
interface Point {
  readonly line: number
  readonly column: number
}

const LOGGER = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false }

/**
 * Writes all mutants of the files into them, each behind a switch that `__STRYKER_ACTIVE_MUTANT__` turns on, with a count
 * of which of them ran.
 * @param files paths from `root`
 */
export async function instrument(root: string, files: readonly string[]): Promise<readonly MadeMutant[]> {
  const { Instrumenter } = await loadTool()
  const sources = new Map(files.map((file) => [join(root, file), readFileSync(join(root, file), 'utf8')]))
  const made = await new Instrumenter(LOGGER).instrument(
    [...sources].map(([name, content]) => ({ name, mutate: true, content })),
    {
      plugins: null,
      excludedMutations: [],
      ignorers: [{ shouldIgnore: (path: TreePath) => (isTextForPeople(path) ? 'text for people' : undefined) }],
    },
  )
  for (const { name, content } of made.files) writeFileSync(name, content)
  const seen = new Map<string, number>()
  return made.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => {
      const file = fileName.slice(root.length + 1)
      const original = cut(sources.get(fileName)!, start, end)
      const text = [file, mutatorName, original, replacement].join('\0')
      const count = (seen.get(text) ?? 0) + 1
      seen.set(text, count)
      return { id, file, line: start.line + 1, mutator: mutatorName, original, replacement, key: `${text}\0${count}` }
    })
}

/** A package of test/package.json, which only files under test/ can resolve by name. */
async function loadTool(): Promise<Tool> {
  const { resolve } = createRequire(new URL('../../test/package.json', import.meta.url))
  let path: string
  try {
    path = resolve('@stryker-mutator/instrumenter')
  } catch (error) {
    throw new Error('@stryker-mutator/instrumenter is not installed. Run: npm run tools', { cause: error })
  }
  return import(pathToFileURL(path).href)
}

function cut(source: string, start: Point, end: Point): string {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column)
  lines[0] = lines[0]!.slice(start.column)
  return lines.join('\n')
}
