import type { Program } from './program.ts'
import type { Edge } from './syntax.ts'

/**
 * Number of steps that are left for matching regular expressions. Matching reduces it, and fails when it is used up.
 */
export interface PatternWork {
  left: number
}

/**
 * Runs a compiled regular expression on a text. All states of the automaton advance together, one character at a time.
 * @param text code points of the text
 * @param from index at which the search begins
 * @param anchored `true`: the match must begin at `from`; `false`: it may begin later
 * @param work steps that are left; it is reduced
 * @returns whether there is a match
 * @throws Error when no steps are left
 */
export function simulate(
  program: Program,
  text: readonly number[],
  from: number,
  anchored: boolean,
  work: PatternWork,
): boolean {
  const { steps, start } = program
  const seen = new Uint32Array(steps.length)
  let current: number[] = []
  for (let at = from; ; at++) {
    const next: number[] = []
    const mark = at + 1
    const code = text[at]
    // The active states at this position: those reached, and the start. Steps that need no character are followed at once.
    const open = current
    if (!anchored || at === from) open.push(start)
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen[state] === mark) continue
      seen[state] = mark
      if (work.left-- <= 0) throw new Error('The text is too long for its pattern.')
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
          if (simulate(step.program, text, at, true, work) === step.wanted) open.push(step.next)
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

/**
 * Tests whether a code point is a letter, digit or underscore (ASCII), for the word boundary `\b`. `undefined`, beyond
 * the text, is none.
 */
export function isWord(code: number | undefined): boolean {
  if (code === undefined) return false
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
