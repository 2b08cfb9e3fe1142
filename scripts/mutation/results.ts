import { readFileSync, writeFileSync } from 'node:fs'
import type { Verdict } from './judge-room.ts'
import { ROOMS } from './rooms.ts'

/** A mutant that no test detected. */
export interface Survivor {
  readonly file: string
  readonly mutator: string
  readonly original: string
  readonly replacement: string
  /** Number of this mutant among equal ones in its file. */
  readonly count: number
  /** Whether no test of the room executes it. */
  readonly uncovered?: true
}

export interface RoomResult {
  readonly mutants: number
  readonly seed: number
  readonly sampled: number
  readonly killed: number
  readonly timedOut: number
  readonly survived: readonly Survivor[]
}

export type Results = Readonly<Record<string, RoomResult>>

const FILE = new URL('./results.json', import.meta.url)

/** Result of the last recorded run of each folder. */
export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

export function writeResults(results: Results): void {
  const inOrder = ROOMS.flatMap(({ name }) => (results[name] === undefined ? [] : [[name, results[name]]]))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`)
}

export function resultOf(mutants: number, seed: number, verdicts: readonly Verdict[]): RoomResult {
  const count = (word: Verdict['word']): number => verdicts.filter((verdict) => verdict.word === word).length
  const survived = verdicts.flatMap(({ mutant, word }): Survivor[] => {
    if (word !== 'survived' && word !== 'uncovered') return []
    const { file, mutator, original, replacement, key } = mutant
    const survivor = { file, mutator, original, replacement, count: Number(key.slice(key.lastIndexOf('\0') + 1)) }
    return [word === 'uncovered' ? { ...survivor, uncovered: true } : survivor]
  })
  const sorted = survived.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return {
    mutants,
    seed,
    sampled: verdicts.length,
    killed: count('killed'),
    timedOut: count('timed out'),
    survived: sorted,
  }
}

/** Merges the result of a repeated run of the survivors of `before`. */
export function resultAgain(before: RoomResult, again: RoomResult): RoomResult {
  return {
    ...before,
    mutants: again.mutants,
    // If its code has changed since, it is no longer among the mutants.
    sampled: before.sampled - before.survived.length + again.sampled,
    killed: before.killed + again.killed,
    timedOut: before.timedOut + again.timedOut,
    survived: again.survived,
  }
}

export function keyOf({ file, mutator, original, replacement, count }: Survivor): string {
  return [file, mutator, original, replacement, count].join('\0')
}

/** Percentage of detected mutants; one that made the tests hang counts as detected. */
export function scoreOf({ sampled, killed, timedOut }: RoomResult): number {
  return sampled === 0 ? 0 : ((killed + timedOut) / sampled) * 100
}
