import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { chooseFiles } from '../tests/choose-files.ts'
import { chooseSample } from './choose-sample.ts'
import { instrument } from './instrument.ts'
import type { MadeMutant } from './made-mutant.ts'
import { ProjectCopy } from './project-copy.ts'
import type { Room } from './rooms.ts'

/** A test file that passes over the instrumented sources. */
interface SoundTest {
  readonly file: string
  /** Duration of a run when all modules are loaded. */
  readonly seconds: number
  readonly ran: ReadonlySet<string>
  /** Ids of those that ran after the modules were loaded. */
  readonly ranLater: ReadonlySet<string>
}

export interface Verdict {
  readonly mutant: MadeMutant
  /** `uncovered`: it runs in no test of the room, so it survives. */
  readonly word: 'killed' | 'timed out' | 'survived' | 'uncovered'
  /** The test file that detected it. */
  readonly by?: string
}

export interface JudgeOptions {
  readonly sample: number
  readonly seed: number
  readonly jobs: number
  /** If present, only these of the sample run. */
  readonly only?: (mutant: MadeMutant) => boolean
  readonly say: (line: string) => void
}

export interface Judged {
  /** Number of mutants in the folder. */
  readonly mutants: number
  readonly verdicts: readonly Verdict[]
}

const FIRST_TIMEOUT_MS = 180_000
/** Mutants of one process. */
const BATCH = 12

/** Puts mutants into a copy of the room, one at a time, and runs the test files that run their lines. */
export async function judgeRoom(room: Room, { sample, seed, jobs, only, say }: JudgeOptions): Promise<Judged> {
  const copy = new ProjectCopy()
  try {
    const mutants = await instrument(copy.root, sourcesOf(copy.root, room.folder))
    const chosen = chooseSample(mutants, sample, seed)
    let left: readonly Verdict[] = (only === undefined ? chosen : chosen.filter(only)).map((mutant) => ({
      mutant,
      word: 'uncovered',
    }))
    const noticed: Verdict[] = []
    // The folder's own tests run first; those of its neighbours run only for the survivors.
    for (const pattern of room.tests) {
      if (left.length === 0) break
      const tests = await coverTests(copy, chooseFiles(copy.root, [pattern]), { jobs, say })
      for (const test of tests) {
        const verdicts = await judgeBy(copy, test, left, jobs)
        noticed.push(...verdicts.filter(isNoticed))
        left = verdicts.filter((verdict) => !isNoticed(verdict))
      }
    }
    const verdicts = [...noticed, ...left]
    for (const { mutant, word, by } of verdicts) {
      say(`${word.padEnd(9)} ${mutant.file}:${mutant.line} ${mutant.mutator} ${by ?? ''}`)
    }
    return { mutants: mutants.length, verdicts }
  } finally {
    copy.remove()
  }
}

/** Runs each test file twice without a fault: which mutants it runs, and how long it takes. */
async function coverTests(
  copy: ProjectCopy,
  files: readonly string[],
  { jobs, say }: Pick<JudgeOptions, 'jobs' | 'say'>,
): Promise<readonly SoundTest[]> {
  const tests: SoundTest[] = []
  await eachOf(files, jobs, async (file) => {
    const { heard, inOthers, output } = await copy.runMany(file, FIRST_TIMEOUT_MS, ['', ''])
    const [first, second] = heard
    if (first?.ok !== true) {
      say(`left out, as it does not pass without a fault: ${file}\n${failuresOf(output)}`)
      return
    }
    tests.push({
      file,
      seconds: second?.seconds ?? first.seconds,
      ran: new Set([...first.ran, ...(second?.ran ?? []), ...inOthers]),
      // A file that does not pass twice in one process runs in a new process each time.
      ranLater: new Set(second?.ok === true ? second.ran : []),
    })
  })
  return tests.toSorted((a, b) => a.seconds - b.seconds)
}

/** The results of one test file for the mutants that it runs; the verdicts of the others stay. */
async function judgeBy(
  copy: ProjectCopy,
  test: SoundTest,
  left: readonly Verdict[],
  jobs: number,
): Promise<readonly Verdict[]> {
  const mine = left.filter(({ mutant }) => test.ran.has(mutant.id))
  const later = mine.filter(({ mutant }) => test.ranLater.has(mutant.id))
  const size = Math.min(BATCH, Math.ceil(later.length / jobs))
  const batches = Array.from({ length: Math.ceil(later.length / (size || 1)) }, (_, i) =>
    later.slice(i * size, (i + 1) * size),
  )
  const killed = new Set<MadeMutant>()
  await eachOf(batches, jobs, async (batch) => {
    for (const mutant of await killedTogether(
      copy,
      test,
      batch.map((one) => one.mutant),
    ))
      killed.add(mutant)
  })
  const verdicts = new Map<MadeMutant, Verdict>()
  await eachOf(mine, jobs, async ({ mutant }) => {
    const word = killed.has(mutant) ? 'failed' : (await copy.run(test.file, boundOf(test), mutant.id)).word
    const noticed = word === 'failed' ? 'killed' : word
    verdicts.set(mutant, noticed === 'passed' ? { mutant, word: 'survived' } : { mutant, word: noticed, by: test.file })
  })
  return left.map((before) => verdicts.get(before.mutant) ?? before)
}

/**
 * Runs the file for one mutant after the other in one process. At the end it has to pass without a mutant: otherwise
 * a mutant has left state behind, and the results do not count. A survivor runs once more by itself, because it may
 * affect code that runs while modules load.
 */
async function killedTogether(
  copy: ProjectCopy,
  test: SoundTest,
  batch: readonly MadeMutant[],
): Promise<readonly MadeMutant[]> {
  const ids = ['', ...batch.map(({ id }) => id), '']
  const { heard } = await copy.runMany(test.file, boundOf(test), ids)
  if (heard.length < ids.length || !heard[0]!.ok || !heard.at(-1)!.ok) return []
  return batch.filter((_, i) => !heard[i + 1]!.ok)
}

function boundOf({ seconds }: SoundTest): number {
  return seconds * 4000 + 30_000
}

function isNoticed({ word }: Verdict): boolean {
  return word === 'killed' || word === 'timed out'
}

function sourcesOf(root: string, folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

function failuresOf(output: string): string {
  const lines = output.split('\n').filter((line) => /not ok |Error:/.test(line))
  return lines.slice(0, 5).join('\n')
}

async function eachOf<T>(all: readonly T[], jobs: number, run: (one: T) => Promise<void>): Promise<void> {
  const queue = all.values()
  const work = async (): Promise<void> => {
    for (const one of queue) await run(one)
  }
  await Promise.all(Array.from({ length: jobs }, work))
}
