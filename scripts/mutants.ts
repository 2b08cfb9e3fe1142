/**
 * `npm run mutants`: adds small faults to a copy of the project, one at a time, and runs the tests that have to
 * detect them. `npm run mutants -- http kernel` runs two lists of `scripts/mutants/`, `--match word` the faults with
 * this word. Exits with 1 if a fault survives unexpectedly, or is detected unexpectedly.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LISTS } from './mutants/lists.ts'
import type { Mutant } from './mutants/mutant.ts'
import { makeScratch } from './tests/scratch.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** A fault that makes the tests hang counts as detected. */
const TIMEOUT_MS = 300_000

const { values, positionals } = parseArgs({ options: { match: { type: 'string' } }, allowPositionals: true })
const unknown = positionals.filter((name) => LISTS[name] === undefined)
if (unknown.length > 0) {
  throw new Error(`There is no list ${unknown.join(', ')}. Lists: ${Object.keys(LISTS).join(', ')}.`)
}
const names = positionals.length === 0 ? Object.keys(LISTS) : positionals
const mutants = names
  .flatMap((name) => LISTS[name]!)
  .filter(({ fault }) => values.match === undefined || fault.includes(values.match))

const folder = makeScratch('svc-mutants')
/** Output folders of the tests. */
const scratch = makeScratch('svc-mutants-tests')
const say = (line: string): void => void process.stdout.write(`${line}\n`)
let wrong = 0
/** Failures of the last run. */
let failures: string[] = []
try {
  copyProject()
  const sound = new Set<string>()
  for (const mutant of mutants) {
    const result = judge(mutant, sound)
    if (!result.isExpected) wrong++
    say(`${result.isExpected ? 'ok ' : 'BAD'} ${result.word.padEnd(8)} ${mutant.file}: ${mutant.fault}`)
    if (mutant.survives !== undefined) say(`             ${mutant.survives}`)
    if (result.word === 'unsound') for (const line of failures) say(`            ${line.trim()}`)
  }
} finally {
  for (const made of [folder, scratch]) rmSync(made, { recursive: true, force: true })
}
say(`${mutants.length} faults, ${wrong} of them not as expected`)
if (wrong > 0) process.exitCode = 1

/** The current files, including uncommitted changes. */
function copyProject(): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT })
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    cpSync(join(ROOT, file), join(folder, file), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
}

interface Judgement {
  readonly word: 'noticed' | 'survived' | 'unsound'
  readonly isExpected: boolean
}

/** @param sound tests that pass without a fault, checked once */
function judge({ file, find, replace, tests, survives }: Mutant, sound: Set<string>): Judgement {
  for (const test of tests) {
    if (!sound.has(test) && !passes([test])) return { word: 'unsound', isExpected: false }
    sound.add(test)
  }
  const path = join(folder, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(find).length !== 2) return { word: 'unsound', isExpected: false }
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    const survived = passes(tests)
    return { word: survived ? 'survived' : 'noticed', isExpected: survived === (survives !== undefined) }
  } finally {
    writeFileSync(path, source)
  }
}

/** Runs each file alone, without tap's runner: half the time, and a broken runner does not count as detection. */
function passes(tests: readonly string[]): boolean {
  return tests.every((test) => {
    const args = ['--import', './scripts/tests/loader/register.js', test]
    const env = { ...process.env, TAP_TIMEOUT: String(TIMEOUT_MS / 1000), TMPDIR: scratch }
    const options = { cwd: folder, timeout: TIMEOUT_MS, encoding: 'utf8', env, killSignal: 'SIGKILL' } as const
    const { status, stdout } = spawnSync(process.execPath, args, options)
    failures = stdout.split('\n').filter((line) => line.includes('not ok '))
    return status === 0
  })
}
