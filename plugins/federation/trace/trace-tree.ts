import type { RenderedError } from '../../graphql/api.ts'

/** Nanoseconds since the trace began. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A place in the answer: a response key, or an index of a list. */
export interface TraceNode {
  readonly key: string | number
  /** Of the field, where the response key is an alias. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly parentType?: string | undefined
  readonly span?: Span | undefined
  readonly errors: RenderedError[]
  readonly children: TraceNode[]
}

/** What `Trace` of Apollo's `reports.proto` says of an answer. */
export interface Trace {
  /** Milliseconds of the clock on the wall. */
  readonly startedAt: number
  readonly endedAt: number
  /** Nanoseconds. */
  readonly duration: number
  readonly root: TraceNode
}

/** Puts errors where their paths lead, and what has no path at the root. Places that no root field has timed get no times. */
export function placeErrors(root: TraceNode, errors: readonly RenderedError[]): void {
  for (const error of errors) {
    let node = root
    for (const key of error.path ?? []) {
      let child = node.children.find((one) => one.key === key)
      if (child === undefined) {
        child = { key, errors: [], children: [] }
        node.children.push(child)
      }
      node = child
    }
    node.errors.push(error)
  }
}
