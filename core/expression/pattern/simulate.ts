import type { Program } from './program.ts'
import type { Edge } from './syntax.ts'

/** Steps that are left. */
export interface PatternWork {
  left: number
}

/**
 * Is there a match? All states of the machine advance together, a character at a time.
 * @param anchored the match begins at `from`, else anywhere behind it
 * @throws Error when the steps are used up
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
    // The states at this place: those that came here, and the start. What needs no character is followed at once.
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

/** A letter, a digit or an underscore: what `\b` stands beside. */
export function isWord(code: number | undefined): boolean {
  if (code === undefined) return false
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
