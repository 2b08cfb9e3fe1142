import type { Edge, PatternNode } from './syntax.ts'

/** One instruction of a compiled regular expression. `next` is the index of the instruction that follows. */
export type Step =
  | { readonly op: 'character'; readonly accepts: (codePoint: number) => boolean; readonly next: number }
  | { readonly op: 'either'; readonly next: readonly number[] }
  | { readonly op: 'edge'; readonly edge: Edge; readonly next: number }
  | { readonly op: 'ahead'; readonly program: Program; readonly wanted: boolean; readonly next: number }
  | { readonly op: 'match' }

export interface Program {
  readonly steps: readonly Step[]
  readonly start: number
}

/** Limit of steps. A short pattern such as `(a{1000}){1000}` would exceed it by far. */
const MOST_STEPS = 10_000

/**
 * Compiles the syntax tree of a regular expression to a nondeterministic automaton, which is run without backtracking.
 * @throws Error when the automaton would be too large
 */
export function buildProgram(node: PatternNode): Program {
  const steps: Step[] = []
  const budget = { left: MOST_STEPS }
  const match = add(steps, budget, { op: 'match' })
  return { steps, start: emit(node, match, steps, budget) }
}

interface Budget {
  left: number
}

function add(steps: Step[], budget: Budget, step: Step): number {
  if (budget.left-- <= 0) throw new Error(`repeats too much: more than ${MOST_STEPS} states. Use smaller bounds`)
  return steps.push(step) - 1
}

/** Appends the steps of a node. @param next index of the step that follows the node @returns index of the node's first step */
function emit(node: PatternNode, next: number, steps: Step[], budget: Budget): number {
  switch (node.kind) {
    case 'character':
      return add(steps, budget, { op: 'character', accepts: node.accepts, next })
    case 'edge':
      return add(steps, budget, { op: 'edge', edge: node.edge, next })
    case 'ahead': {
      const program = buildWithin(node.node, budget)
      return add(steps, budget, { op: 'ahead', program, wanted: node.wanted, next })
    }
    case 'sequence':
      return node.parts.reduceRight((after, part) => emit(part, after, steps, budget), next)
    case 'choice':
      return add(steps, budget, {
        op: 'either',
        next: node.branches.map((branch) => emit(branch, next, steps, budget)),
      })
    case 'repeat':
      return emitRepeat(node, next, steps, budget)
  }
}

function buildWithin(node: PatternNode, budget: Budget): Program {
  const steps: Step[] = []
  const match = add(steps, budget, { op: 'match' })
  return { steps, start: emit(node, match, steps, budget) }
}

function emitRepeat(
  { node, least, most }: Extract<PatternNode, { kind: 'repeat' }>,
  next: number,
  steps: Step[],
  budget: Budget,
): number {
  let at = next
  if (most === null) {
    // The loop refers to itself: its index is reserved before its body is compiled.
    const loop = add(steps, budget, { op: 'either', next: [] })
    const body = emit(node, loop, steps, budget)
    steps[loop] = { op: 'either', next: [body, next] }
    at = loop
  } else {
    for (let count = most; count > least; count--) {
      at = add(steps, budget, { op: 'either', next: [emit(node, at, steps, budget), next] })
    }
  }
  for (let count = 0; count < least; count++) {
    const before = at
    at = emit(node, at, steps, budget)
    // A node without steps adds none in further repetitions either.
    if (at === before) break
  }
  return at
}
