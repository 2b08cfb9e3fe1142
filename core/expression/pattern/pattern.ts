import { buildProgram } from './program.ts'
import { type PatternWork, simulate } from './simulate.ts'
import { parsePattern } from './syntax.ts'

export type { PatternWork }

/**
 * A compiled regular expression. The time of a match is linear in the length of the text, so that no text can block the
 * process.
 */
export interface Pattern {
  readonly source: string
  /**
   * Tests whether the text contains a match. Use `^` and `$` to match the whole text.
   * @param shared steps left for several texts together, when a client controls the number of texts; it is reduced
   * @throws Error when the match needs more steps than are left, because the text is too long
   */
  test(text: string, shared?: PatternWork): boolean
}

const MOST_BYTES = 1000
/** Limit of steps for one text: a few hundredths of a second. */
const MOST_WORK = 1_000_000
/** Limit of steps for one run of the event loop: about a second. A body of one MiB takes a tenth of it with typical patterns. */
const MOST_WORK_OF_JOB = 50_000_000

let job: PatternWork | null = null

/**
 * Returns the steps that are left for all pattern matches in the current run of the event loop. All callers share them,
 * so that a client with a hundred thousand texts blocks other requests for about a second at most.
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
 * Compiles a regular expression to a {@link Pattern}.
 * @param source in the syntax of JavaScript, without back references and lookbehind
 * @throws Error when it is invalid or too long; the message says why
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
