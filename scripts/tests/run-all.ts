import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { groupFiles } from './group-files.ts'
import { translateAll } from './loader/translate.js'
import type { FileResult } from './run-file.ts'
import { runGroup } from './run-group.ts'
import { makeScratch } from './scratch.ts'
import { killAll, ROOT } from './test-process.ts'
import { importedTools, missingTools } from './test-tools.ts'

const SOURCES = ['bench', 'core', 'plugins', 'presets', 'scripts', 'test']

export interface RunOptions {
  readonly jobs: number
  readonly timeoutMs: number
  readonly env?: NodeJS.ProcessEnv
  /** Receives all output. */
  readonly write: (text: string) => void
}

/** Runs the files in parallel, and reports failed ones as soon as they end. */
export async function runAll(files: readonly string[], options: RunOptions): Promise<readonly FileResult[]> {
  await translateAll(SOURCES.flatMap(listSources))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      killAll()
      process.exit(1)
    })
  }
  const shared = makeScratch('svc-tests')
  process.once('exit', () => rmSync(shared, { recursive: true, force: true }))
  const env = { ...process.env, TMPDIR: shared, SVC_TEST_SHARED: shared, ...options.env }
  const results: FileResult[] = []
  const missing = missingTools()
  const skipped = new Map(files.map((file) => [file, importedTools(file, missing)]))
  for (const [file, tools] of skipped) {
    if (tools.length === 0) continue
    const result = withoutTools(file, tools, env)
    results.push(result)
    options.write(describeResult(result))
  }
  const groups = groupFiles(
    ROOT,
    files.filter((file) => skipped.get(file)?.length === 0),
  )
  const queue = groups.values()
  const take = async (job: number): Promise<void> => {
    for (const group of queue) {
      for (const result of await runGroup(group, { ...options, env, job })) {
        results.push(result)
        if (result.word !== 'passed') options.write(describeResult(result))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.jobs, groups.length) }, (_, job) => take(job)))
  return results
}

/** A file whose imports are not installed: skipped with the reason, and failed where `SVC_TEST_REQUIRE=all`. */
function withoutTools(file: string, tools: readonly string[], env: NodeJS.ProcessEnv): FileResult {
  return {
    file,
    word: env.SVC_TEST_REQUIRE === 'all' ? 'failed' : 'skipped',
    seconds: 0,
    points: 0,
    skipped: 1,
    reasons: [`needs ${tools.join(', ')} of test/package.json: npm run tools`],
  }
}

/** One file that did not pass. */
function describeResult({ file, word, reasons }: FileResult): string {
  const indented = reasons.map((reason) => `  ${reason.replaceAll('\n', '\n  ')}\n`)
  return `\n${word}: ${file}\n${indented.join('\n')}`
}

/** The end of a run: the names of failed files, and the slowest files. */
export function summarize(results: readonly FileResult[], seconds: number): string {
  const bad = results.filter(({ word }) => isBad(word)).map(({ file, word }) => `${word}: ${file}`)
  const slow = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
  const skipped = sum(results.map((result) => result.skipped))
  const passed = results.filter(({ word }) => word === 'passed').length
  return [
    '',
    ...(results.length > 20
      ? ['Longest:', ...slow.map(({ file, seconds }) => `  ${seconds.toFixed(1)} s ${file}`)]
      : []),
    ...bad.sort(),
    `${passed} of ${results.length} files passed, ${sum(results.map(({ points }) => points))} assertions` +
      `${skipped === 0 ? '' : `, ${skipped} skipped`}, ${seconds.toFixed(1)} s`,
    '',
  ].join('\n')
}

/** The file of `--timings`. */
export function describeTimings(results: readonly FileResult[]): string {
  const sorted = results.toSorted((a, b) => b.seconds - a.seconds)
  return sorted.map(({ seconds, points, file }) => `${seconds.toFixed(1)}\t${points}\t${file}\n`).join('')
}

/** A skipped file fails no run; with `SVC_TEST_REQUIRE=all` it counts as failed. */
export function isBad(word: FileResult['word']): boolean {
  return word !== 'passed' && word !== 'skipped'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function listSources(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true }) as string[]
  return names
    .filter((name) => /(?<!\.d)\.ts$/.test(name) && !/node_modules/.test(name))
    .map((name) => join(ROOT, folder, name))
}
