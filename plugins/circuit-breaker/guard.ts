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

/** Runs what is left of the operation. */
type Next = (instead?: Operation) => MaybePromise<Result>

/** That an entity was let through, and the keys of its roots. */
interface Passed {
  readonly ticket: Ticket
  readonly keys: readonly string[]
}

/** The entities of one operation that were let through. */
type Entered = ReadonlyMap<string, Passed>

/** Lets an operation through as far as the circuits of its entities are closed, and tells them what became of it. */
export class Guard {
  readonly #circuits: Circuits
  readonly #onRefused: Tell
  readonly #deadlineMs: number
  /** What is left of a document, by the roots that are not asked. */
  readonly #rests = new WeakMap<OperationTemplate, Map<string, OperationTemplate>>()

  /** @param deadlineMs that requests have; 0: none */
  constructor(circuits: Circuits, onRefused: Tell, deadlineMs: number) {
    this.#circuits = circuits
    this.#onRefused = onRefused
    this.#deadlineMs = deadlineMs
  }

  /** @throws SvcError CIRCUIT_BREAKER_OPEN where nothing of it can be answered; what `next` throws */
  run(ctx: Exchange, operation: Operation, { roots, asksSeveral }: GuardedOperation, next: Next): MaybePromise<Result> {
    const isSlow = this.#slowness(ctx, asksSeveral)
    const refused = new Map<string, number>()
    const entered = this.#enter(roots, refused)
    if (refused.size === 0) return this.#watch(entered, next, isSlow)
    for (const entity of refused.keys()) this.#onRefused(entity)
    const shut = roots.filter(({ entities }) => entities.some((entity) => refused.has(entity)))
    if (!canAnswerRest(operation, shut)) {
      // Whoever was let through for the same request has not been asked.
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
    // A root of two entities is not asked when one of them is shut.
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
   * Was it the database that took the time, when a deadline has passed? Not of several, of which one may have been quick, and not where
   * most of it had gone before the database was asked: a client that sends its request slowly must not open a circuit for the others.
   */
  #slowness(ctx: Exchange, asksSeveral: boolean): () => boolean {
    const from = performance.now()
    return () => {
      if (asksSeveral) return false
      // Without it the database itself gave up, by a limit of its own.
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

/** Of one document; circuits do not open in all combinations. */
const MOST_RESTS = 16

/**
 * Is there another root whose answer may be given? Not where null may not stand; not of a write that stands or falls as a whole, or
 * whose answer is a stream.
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
  // Of several the one that takes longest.
  const entity = names.find((name) => refused.get(name) === retryAfter) ?? ''
  const message = `The database of "${entity}" keeps failing, and is not asked at the moment. Try again later.`
  return new SvcError('CIRCUIT_BREAKER_OPEN', message, { status: 503, details: { entity }, retryAfter })
}

function locationsOf({ roots }: OperationTemplate, index: number): SvcError['locations'] {
  const root = roots[index]
  return root === undefined || !('location' in root) || root.location === null ? undefined : [root.location]
}

/**
 * Of what was thrown: only a database that cannot be had, or does not answer in time, counts.
 * @param isSlow says whether it is the database that a deadline was waiting for
 */
function outcomeOfFailure(error: unknown, isSlow: () => boolean): Outcome {
  if (!(error instanceof SvcError)) return 'neutral'
  const { code } = error
  if (code === 'TIMEOUT') return error.details?.abortedBy !== 'client' && isSlow() ? 'failure' : 'neutral'
  return code === 'SERVICE_UNAVAILABLE' || code === 'DATABASE_UNAVAILABLE' ? 'failure' : 'neutral'
}

/** Of a result, as far as these roots are concerned. A stream has only begun; a root that failed may not have been asked for. */
function outcomeOfResult({ errors, stream }: Result, keys: readonly string[]): Outcome {
  // Of a relation that leads into another database it is that one which failed.
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
