import { buildProgram, type Program } from './program.ts'
import { isWord, simulate } from './simulate.ts'
import { type Edge, type PatternFlags, parsePattern } from './syntax.ts'

/** A state of the automaton after a text, with the transitions that were computed so far. */
interface State {
  /** Steps that wait for a character or are still to be followed, in order, without the start of the pattern. */
  readonly at: readonly number[]
  readonly behind: Behind
  readonly ascii: (State | undefined)[]
  readonly wide: Map<number, State>
  matchesAtEnd: boolean | undefined
}

type Behind = 'start' | 'word' | 'other'

const ASCII = 128
/** Limit of cached states. When it is reached, all are dropped, so that a pattern uses a few megabytes at most. */
const MOST_STATES = 1000
const MOST_WIDE = 20_000

/**
 * Compiles a regular expression to a function that tests whether a text contains a match, in linear time. It caches
 * states of the automaton, which makes it fast for patterns that are matched against many texts.
 * @param source in the syntax of JavaScript, without back references and lookbehind
 * @throws Error when the pattern is invalid; the message says why
 */
export function compileAutomaton(source: string, flags: PatternFlags): (text: string) => boolean {
  const program = buildProgram(parsePattern(source, flags))
  // The result of a lookahead depends on more than the next character.
  if (program.steps.some((step) => step.op === 'ahead'))
    return (text) => simulate(program, codesOf(text), 0, false, ENDLESS())
  const machine = new Machine(program)
  return (text) => machine.test(text)
}

const ENDLESS = (): { left: number } => ({ left: Number.POSITIVE_INFINITY })

function codesOf(text: string): readonly number[] {
  return Array.from(text, (char) => char.codePointAt(0)!)
}

class Machine {
  readonly #program: Program
  readonly #states = new Map<string, State>()
  readonly #found: State = stateOf([], 'other')
  readonly #seen: Uint32Array
  #mark = 0
  #wide = 0

  constructor(program: Program) {
    this.#program = program
    this.#seen = new Uint32Array(program.steps.length)
  }

  test(text: string): boolean {
    if (this.#states.size > MOST_STATES || this.#wide > MOST_WIDE) {
      this.#states.clear()
      this.#wide = 0
    }
    let state = this.#known([], 'start')
    for (let index = 0; index < text.length; index++) {
      let code = text.charCodeAt(index)
      if (code >= 0xd800 && code < 0xdc00) {
        code = text.codePointAt(index)!
        if (code > 0xffff) index++
      }
      state = (code < ASCII ? state.ascii[code] : state.wide.get(code)) ?? this.#advance(state, code)
      if (state === this.#found) return true
    }
    state.matchesAtEnd ??= this.#follow(state, undefined) === null
    return state.matchesAtEnd
  }

  #advance(state: State, code: number): State {
    const waiting = this.#follow(state, code)
    const next =
      waiting === null
        ? this.#found
        : this.#known(
            waiting.sort((a, b) => a - b),
            isWord(code) ? 'word' : 'other',
          )
    // Texts that lead to ever new states must not exceed the limit of the cache.
    if (this.#states.size > MOST_STATES || this.#wide > MOST_WIDE) return next
    if (code < ASCII) state.ascii[code] = next
    else {
      state.wide.set(code, next)
      this.#wide++
    }
    return next
  }

  #known(at: readonly number[], behind: Behind): State {
    const key = `${behind} ${at.join(' ')}`
    const known = this.#states.get(key)
    if (known !== undefined) return known
    const state = stateOf(at, behind)
    if (this.#states.size <= MOST_STATES) this.#states.set(key, state)
    return state
  }

  /** @returns the steps after the next character; `null`: a match ends before it */
  #follow({ at, behind }: State, code: number | undefined): number[] | null {
    const { steps, start } = this.#program
    const seen = this.#seen
    this.#mark++
    const mark = this.#mark
    const next = new Set<number>()
    const open = [...at, start]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen[index] === mark) continue
      seen[index] = mark
      const step = steps[index]!
      if (step.op === 'match') return null
      if (step.op === 'character') {
        if (code !== undefined && step.accepts(code)) next.add(step.next)
      } else if (step.op === 'either') open.push(...step.next)
      else if (step.op === 'edge' && isAtEdge(step.edge, behind, code)) open.push(step.next)
    }
    return [...next]
  }
}

function stateOf(at: readonly number[], behind: Behind): State {
  return { at, behind, ascii: [], wide: new Map(), matchesAtEnd: undefined }
}

function isAtEdge(edge: Edge, behind: Behind, code: number | undefined): boolean {
  if (edge === 'start') return behind === 'start'
  if (edge === 'end') return code === undefined
  return ((behind === 'word') !== isWord(code)) === (edge === 'word')
}
