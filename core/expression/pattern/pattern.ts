import { buildProgram, type Program } from './program.ts'
import { type Edge, parsePattern } from './syntax.ts'

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

/** Steps that are left. */
export interface PatternWork {
  left: number
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
        return run(program, toCodePoints(text), 0, false, work)
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

/** @param anchored the match begins at `from`, else anywhere behind it */
function run(program: Program, text: readonly number[], from: number, anchored: boolean, work: PatternWork): boolean {
  const { steps, start } = program
  const seen = new Uint32Array(steps.length)
  let current: number[] = []
  for (let at = from; ; at++) {
    const next: number[] = []
    const mark = at + 1
    const code = text[at]
    // The states at this place: those that came here, and the start. What needs no character is followed at once.
    const open = current
    if (!anchored || at === from) open.push(start)
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen[state] === mark) continue
      seen[state] = mark
      if (work.left-- <= 0) throw tooLong()
      const step = steps[state]!
      switch (step.op) {
        case 'match':
          return true
        case 'character':
          if (code !== undefined && step.accepts(code)) next.push(step.next)
          break
        case 'either':
          for (const each of step.next) open.push(each)
          break
        case 'edge':
          if (isAtEdge(step.edge, text, at)) open.push(step.next)
          break
        case 'ahead':
          if (run(step.program, text, at, true, work) === step.wanted) open.push(step.next)
      }
    }
    if (code === undefined || (anchored && next.length === 0)) return false
    current = next
  }
}

function isAtEdge(edge: Edge, text: readonly number[], at: number): boolean {
  switch (edge) {
    case 'start':
      return at === 0
    case 'end':
      return at === text.length
    default: {
      const isBoundary = isWord(text[at - 1]) !== isWord(text[at])
      return isBoundary === (edge === 'word')
    }
  }
}

function isWord(code: number | undefined): boolean {
  if (code === undefined) return false
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
