import { randomUUID } from 'node:crypto'
import { type DeclaredCodes, describeCode } from '../../base/errors/codes.ts'
import { SvcError } from '../../base/errors/svc-error.ts'
import { shorten } from '../../base/util/shorten.ts'
import type { PublicError, ToPublicError } from '../../contract/public-error.ts'
import type { Signals } from '../../contract/signals.ts'
import type { Runner } from '../../contract/stages.ts'

const INTERNAL = 'INTERNAL_SERVER_ERROR'
const SAFEST = 'An internal error occurred.'
/** Status code in logs and metrics for a client that disconnected before the reply, as in nginx. */
export const CLIENT_CLOSED_REQUEST = 499
/** Maximum length of an error message. Messages quote input of clients, which may be megabytes long. */
const MOST_CHARACTERS = 4000
/** Maximum number of causes, and of characters of each, that identify an outage. */
const MOST_CAUSES = 4
const MOST_OF_A_CAUSE = 200
const MINUTE_MS = 60_000
/** Maximum number of outages in memory, because their keys may all differ. */
const MOST_OUTAGES = 100

/**
 * Creates the function that converts any thrown value to the error that clients see. It runs the `error:public` hooks;
 * if one throws, clients see INTERNAL_SERVER_ERROR without details.
 * @param hook runs the hooks; `null`: no plugin has any
 * @param declared error codes that plugins declare
 */
export function createToPublicError(
  hook: Runner<'error:public'> | null,
  signals: Signals,
  declared?: DeclaredCodes,
): ToPublicError {
  const parts = { signals, declared, outages: new OutageIds() }
  if (hook === null) return (error, exchange) => publicForm(error, exchange?.id ?? '', parts)
  return (error, exchange) => {
    const requestId = exchange?.id ?? ''
    const { details, ...rest } = publicForm(error, requestId, parts)
    // Frozen copies, so that hooks cannot change the original error.
    const shown = Object.freeze({ ...rest, details: Object.freeze({ ...details }) })
    try {
      return hook(shown, { error, exchange })
    } catch (failure) {
      return safest(shown, failure, requestId, signals)
    }
  }
}

/**
 * Converts a thrown value into its public form. An exposed `SvcError` keeps code and message; any other value becomes
 * INTERNAL_SERVER_ERROR without details. Errors with a status of 500 or above carry an `errorId`, under which the log has the cause.
 */
function publicForm(error: unknown, requestId: string, { signals, declared, outages }: Parts): PublicError {
  if (isClientGone(error)) {
    const { code, message, details = {} } = error
    return { code, message, status: CLIENT_CLOSED_REQUEST, details, retryAfter: undefined }
  }
  const row = error instanceof SvcError ? describeCode(error.code, declared) : null
  const exposed = error instanceof SvcError && row?.exposed === true
  const status = exposed ? (error.hasOwnStatus ? error.status : row.status) : 500
  if (exposed && status < 500) {
    return {
      code: error.code,
      message: shorten(error.message, MOST_CHARACTERS),
      status,
      details: error.details ?? {},
      retryAfter: error.retryAfter,
      ...(error.challenge === undefined ? {} : { challenge: error.challenge }),
    }
  }
  const code = exposed ? error.code : INTERNAL
  const { errorId, isFirst } =
    exposed && code === 'SERVICE_UNAVAILABLE' ? outages.of(outageOf(error)) : { errorId: randomUUID(), isFirst: true }
  signals.emit({ type: 'request-failed', requestId, errorId, code, error, isFirst })
  return {
    code,
    message: exposed ? shorten(error.message, MOST_CHARACTERS) : SAFEST,
    status,
    details: exposed ? { ...error.details, errorId } : { errorId },
    retryAfter: exposed ? error.retryAfter : undefined,
  }
}

/**
 * Returns a key that identifies an outage, so that one outage shares one `errorId`. Causes belong to it, because two stores that are
 * down give clients the same message. Digits are replaced: they may differ between requests.
 */
function outageOf({ message, cause }: SvcError): string {
  const causes: string[] = []
  for (let each = cause; each instanceof Error && causes.length < MOST_CAUSES; each = each.cause) {
    const { code = '' } = each as { readonly code?: unknown }
    causes.push(`${code} ${each.message.slice(0, MOST_OF_A_CAUSE).replace(/\d+/g, '0')}`)
  }
  return [message, ...causes].join('\n')
}

/** Tests whether the client disconnected. Such an error reaches no client and is no fault of the service: no id, no log line. */
function isClientGone(error: unknown): error is SvcError {
  return error instanceof SvcError && error.details?.abortedBy === 'client'
}

interface Parts {
  readonly signals: Signals
  readonly declared: DeclaredCodes | undefined
  readonly outages: OutageIds
}

/** The form after a hook threw. The hook may have failed to hide something, so the client sees nothing but an id. */
function safest(shown: PublicError, failure: unknown, requestId: string, signals: Signals): PublicError {
  const errorId = typeof shown.details.errorId === 'string' ? shown.details.errorId : randomUUID()
  signals.emit({ type: 'request-failed', requestId, errorId, code: INTERNAL, error: failure })
  return { code: INTERNAL, message: SAFEST, status: 500, details: { errorId }, retryAfter: undefined }
}

interface OutageId {
  readonly errorId: string
  /** The failure is the first of its outage, and the one to log. */
  readonly isFirst: boolean
}

/**
 * Assigns an `errorId` to failures of an unreachable service, such as a database. All requests that the same outage
 * fails within a minute share an id, so that the log has one line for them.
 */
export class OutageIds {
  readonly #now: () => number
  readonly #open = new Map<string, { readonly errorId: string; readonly since: number }>()

  /** @param now milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns the id of an outage. @param outage key of the outage: the messages of the error and its causes */
  of(outage: string): OutageId {
    const now = this.#now()
    const known = this.#open.get(outage)
    if (known !== undefined && now - known.since < MINUTE_MS) return { errorId: known.errorId, isFirst: false }
    this.#open.delete(outage)
    if (this.#open.size >= MOST_OUTAGES) this.#open.delete(this.#open.keys().next().value as string)
    const errorId = randomUUID()
    this.#open.set(outage, { errorId, since: now })
    return { errorId, isFirst: true }
  }
}
