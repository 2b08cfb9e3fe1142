import {
  type Exchange,
  errorAt,
  isPromise,
  type MaybePromise,
  type Operation,
  type OperationTemplate,
  type Result,
  SvcError,
} from '../../core/doors/plugin.ts'
import { isRefusal, type Outcome, type Ticket } from './breaker.ts'
import type { Circuits, Tell } from './circuits.ts'
import { type GuardedOperation, type GuardedRoot, withoutRoots } from './guarded-roots.ts'

/** Runs the operation, or the given one in its place. */
type Next = (instead?: Operation) => MaybePromise<Result>

/** Ticket of an entity, with the response keys of its roots. */
interface Passed {
  readonly ticket: Ticket
  readonly keys: readonly string[]
}

/** Allowed entities of an operation. */
type Entered = ReadonlyMap<string, Passed>

/**
 * Runs an operation without the root fields whose circuit breakers are open, and reports outcomes to the circuit
 * breakers.
 */
export class Guard {
  readonly #circuits: Circuits
  readonly #onRefused: Tell
  readonly #deadlineMs: number
  /** Remaining operation of a document, by the rejected roots. */
  readonly #rests = new WeakMap<OperationTemplate, Map<string, OperationTemplate>>()

  /** @param deadlineMs deadline of requests; 0: none */
  constructor(circuits: Circuits, onRefused: Tell, deadlineMs: number) {
    this.#circuits = circuits
    this.#onRefused = onRefused
    this.#deadlineMs = deadlineMs
  }

  /** Runs an operation. @throws SvcError CIRCUIT_BREAKER_OPEN when no part can be answered; errors of `next` */
  run(ctx: Exchange, operation: Operation, { roots, asksSeveral }: GuardedOperation, next: Next): MaybePromise<Result> {
    const isSlow = this.#slowness(ctx, asksSeveral)
    const refused = new Map<string, number>()
    const entered = this.#enter(roots, refused)
    if (refused.size === 0) return this.#watch(entered, next, isSlow)
    for (const entity of refused.keys()) this.#onRefused(entity)
    const shut = roots.filter(({ entities }) => entities.some((entity) => refused.has(entity)))
    if (!canAnswerRest(operation, shut)) {
      // Other entities of the request have tickets, but were not read.
      this.#settle(entered, () => 'neutral')
      throw openOf(shut, refused)
    }
    const errors = shut.map((root) =>
      errorAt(openOf([root], refused), {
        path: [root.responseKey],
        locations: locationsOf(operation.template, root.index),
      }),
    )
    const asked = roots.filter((root) => !shut.includes(root))
    const isAsked = (entity: string, key: string): boolean =>
      asked.some(({ entities, responseKey }) => entities.includes(entity) && key === responseKey)
    const running: Map<string, Passed> = new Map()
    const idle: Map<string, Passed> = new Map()
    // A root with two entities is rejected when one of their circuits is open.
    for (const [entity, { ticket, keys }] of entered) {
      const own = keys.filter((key) => isAsked(entity, key))
      ;(own.length > 0 ? running : idle).set(entity, { ticket, keys: own })
    }
    this.#settle(idle, () => 'neutral')
    const template = this.#restOf(operation.template, shut)
    const tell = (result: Result): Result => ({ ...result, errors: [...(result.errors ?? []), ...errors] })
    const result = this.#watch(running, () => next({ ...operation, template }), isSlow)
    return isPromise(result) ? result.then(tell) : tell(result)
  }

  #enter(roots: readonly GuardedRoot[], refused: Map<string, number>): Entered {
    const entered = new Map<string, { ticket: Ticket; keys: string[] }>()
    for (const { entities, responseKey } of roots) {
      for (const entity of entities) {
        const known = entered.get(entity)
        if (known !== undefined) known.keys.push(responseKey)
        else if (!refused.has(entity)) {
          const ticket = this.#circuits.of(entity).enter()
          if (isRefusal(ticket)) refused.set(entity, ticket.retryAfter)
          else entered.set(entity, { ticket, keys: [responseKey] })
        }
      }
    }
    return entered
  }

  /**
   * Returns a function that tests whether the database caused a timeout. With several databases it is unknown which one was slow. If most of the
   * time had passed before the database was called, the client was slow, and must not open a circuit for others.
   */
  #slowness(ctx: Exchange, asksSeveral: boolean): () => boolean {
    const from = performance.now()
    return () => {
      if (asksSeveral) return false
      // Without a request timeout, the database reached a limit of its own.
      return ctx.abortReason !== 'timeout' || performance.now() - from >= this.#deadlineMs / 2
    }
  }

  #watch(entered: Entered, run: () => MaybePromise<Result>, isSlow: () => boolean): MaybePromise<Result> {
    const succeeded = (value: Result) => this.#settle(entered, (keys) => outcomeOfResult(value, keys))
    const failed = (error: unknown) => this.#settle(entered, () => outcomeOfFailure(error, isSlow))
    let result: MaybePromise<Result>
    try {
      result = run()
    } catch (error) {
      failed(error)
      throw error
    }
    if (isPromise(result)) result.then(succeeded, failed)
    else succeeded(result)
    return result
  }

  #settle(entered: Entered, outcomeOf: (keys: readonly string[]) => Outcome): void {
    for (const [entity, { ticket, keys }] of entered) this.#circuits.of(entity).settle(ticket, outcomeOf(keys))
  }

  #restOf(template: OperationTemplate, shut: readonly GuardedRoot[]): OperationTemplate {
    const indexes = new Set(shut.map(({ index }) => index))
    const key = [...indexes].join()
    const rests = this.#rests.get(template) ?? new Map<string, OperationTemplate>()
    let rest = rests.get(key)
    if (rest === undefined) {
      rest = withoutRoots(template, indexes)
      if (rests.size >= MOST_RESTS) rests.clear()
      this.#rests.set(template, rests.set(key, rest))
    }
    return rest
  }
}

/** Maximum number of cached remaining operations per document. Few combinations of open circuits occur. */
const MOST_RESTS = 16

/**
 * Can the other roots be answered? Not if a rejected root is non-null, if a write is atomic, or if the result is a stream.
 */
function canAnswerRest({ template, form, write }: Operation, shut: readonly GuardedRoot[]): boolean {
  if (form !== undefined || write?.atomic === true || write?.dryRun === true) return false
  if (shut.some(({ nullable }) => !nullable)) return false
  const without = new Set(shut.map(({ index }) => index))
  return template.roots.some(
    (root, index) =>
      !without.has(index) && root.kind !== 'typename' && (root.kind !== 'literal' || root.call !== undefined),
  )
}

function openOf(shut: readonly GuardedRoot[], refused: ReadonlyMap<string, number>): SvcError {
  const names = [...refused.keys()].filter((entity) => shut.some(({ entities }) => entities.includes(entity)))
  const retryAfter = Math.max(...names.map((entity) => refused.get(entity) ?? 0))
  // Of several entities, the error names the one with the longest delay.
  const entity = names.find((name) => refused.get(name) === retryAfter) ?? ''
  const message = `The database of "${entity}" keeps failing, and requests to it are paused. Try again later.`
  return new SvcError('CIRCUIT_BREAKER_OPEN', message, { status: 503, details: { entity }, retryAfter })
}

function locationsOf({ roots }: OperationTemplate, index: number): SvcError['locations'] {
  const root = roots[index]
  return root === undefined || !('location' in root) || root.location === null ? undefined : [root.location]
}

/**
 * Returns the outcome of an error. Only an unavailable or slow database counts as failure.
 * @param isSlow tests whether the database caused a timeout
 */
function outcomeOfFailure(error: unknown, isSlow: () => boolean): Outcome {
  if (!(error instanceof SvcError)) return 'neutral'
  const { code } = error
  if (code === 'TIMEOUT') return error.details?.abortedBy !== 'client' && isSlow() ? 'failure' : 'neutral'
  return code === 'SERVICE_UNAVAILABLE' || code === 'DATABASE_UNAVAILABLE' ? 'failure' : 'neutral'
}

/** Returns the outcome of some roots of a result. A stream has only begun, and a failed root may not have been read. */
function outcomeOfResult({ errors, stream }: Result, keys: readonly string[]): Outcome {
  // An error of a relation to another database belongs to that database.
  const own = (errors ?? []).filter((error) => keys.some((key) => failedWhole(error, key)))
  if (own.some((error) => error.code === 'DATABASE_UNAVAILABLE' && error.details?.database !== undefined)) {
    return 'failure'
  }
  const isUnknown = stream !== undefined || keys.every((key) => own.some((error) => failedWhole(error, key)))
  return isUnknown ? 'neutral' : 'success'
}

function failedWhole({ path }: SvcError, key: string): boolean {
  return path === undefined || (path.length === 1 && path[0] === key)
}
