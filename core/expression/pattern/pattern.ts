import { buildProgram } from './program.ts'
import { type PatternWork, simulate } from './simulate.ts'
import { parsePattern } from './syntax.ts'

export type { PatternWork }

/** A regular expression that cannot hang: its time grows with the length of the text, whatever the text is. */
export interface Pattern {
  readonly source: string
  /**
   * Is there a match anywhere in the text (`^` and `$` bind it)?
   * @param shared what all texts together may cost, where somebody else says how many there are
   * @throws Error when the text is so long that even that takes too many steps
   */
  test(text: string, shared?: PatternWork): boolean
}

const MOST_BYTES = 1000
/** Takes a few hundredths of a second. */
const MOST_WORK = 1_000_000
/** About a second. A body of a MiB takes a tenth of it with patterns as they are written. */
const MOST_WORK_OF_JOB = 50_000_000

let job: PatternWork | null = null

/**
 * What everything that runs without a break may cost: a client that sends a hundred thousand texts keeps nobody waiting for
 * longer than that.
 */
export function workOfJob(): PatternWork {
  if (job === null) {
    job = { left: MOST_WORK_OF_JOB }
    queueMicrotask(() => {
      job = null
    })
  }
  return job
}

/**
 * @param source in the syntax of JavaScript, without references to groups and without looking back
 * @throws Error that says what is wrong with it
 */
export function compilePattern(source: string): Pattern {
  if (Buffer.byteLength(source) > MOST_BYTES) throw new Error(`is longer than ${MOST_BYTES} bytes`)
  const program = buildProgram(parsePattern(source))
  return {
    source,
    test(text, shared) {
      const most = Math.min(MOST_WORK, shared?.left ?? MOST_WORK)
      if (most <= 0) throw tooLong()
      const work = { left: most }
      try {
        return simulate(program, toCodePoints(text), 0, false, work)
      } finally {
        if (shared !== undefined) shared.left -= most - work.left
      }
    },
  }
}

function tooLong(): Error {
  return new Error('The text is too long for its pattern.')
}

function toCodePoints(text: string): readonly number[] {
  const codes: number[] = []
  for (const char of text) codes.push(char.codePointAt(0)!)
  return codes
}
