import { randomUUID } from 'node:crypto'
import type { PublicError, ToPublicError } from '../contract/public-error.ts'
import { type DeclaredCodes, describeCode } from '../errors/codes.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Signals } from '../signals/signals.ts'
import { shorten } from '../util/shorten.ts'
import { OutageIds } from './outage-ids.ts'
import type { Runner } from './stages.ts'

const INTERNAL = 'INTERNAL_SERVER_ERROR'
const SAFEST = 'An internal error occurred.'
/** nginx's word for a client that closed its connection before there was an answer. */
export const CLIENT_CLOSED_REQUEST = 499
/** Of a message. What a client sends comes back in it, a name of a megabyte as well. */
const MOST_CHARACTERS = 4000
/** Of causes, to tell outages apart by. */
const MOST_CAUSES = 4
const MOST_OF_A_CAUSE = 200

/**
 * Makes the one function that errors leave through, whichever front shows them (spine 1).
 * @param hook the sealed chain of `error:public`; `null` = nobody hooked it
 * @param declared codes of the app's plugins
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
    // Hooks get no object of the error's own to change.
    const shown = Object.freeze({ ...rest, details: Object.freeze({ ...details }) })
    try {
      return hook(shown, { error, exchange })
    } catch (failure) {
      return safest(shown, failure, requestId, signals)
    }
  }
}

/**
 * The public form of anything that was thrown. What is not an exposed `SvcError` becomes INTERNAL_SERVER_ERROR (or
 * keeps its code, when that is a database one) with an `errorId` under which the log has the truth.
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

/** Two stores that are away say the same to a client, and the log has why of each. Numbers in it may be of the one request. */
function outageOf({ message, cause }: SvcError): string {
  const causes: string[] = []
  for (let each = cause; each instanceof Error && causes.length < MOST_CAUSES; each = each.cause) {
    const { code = '' } = each as { readonly code?: unknown }
    causes.push(`${code} ${each.message.slice(0, MOST_OF_A_CAUSE).replace(/\d+/g, '0')}`)
  }
  return [message, ...causes].join('\n')
}

/** The client has left, so that no one receives this error, and the service has no fault: it gets no id and no log line. */
function isClientGone(error: unknown): error is SvcError {
  return error instanceof SvcError && error.details?.abortedBy === 'client'
}

interface Parts {
  readonly signals: Signals
  readonly declared: DeclaredCodes | undefined
  readonly outages: OutageIds
}

/** A hook that was to hide something and failed has hidden nothing: the client is told as little as there is. */
function safest(shown: PublicError, failure: unknown, requestId: string, signals: Signals): PublicError {
  const errorId = typeof shown.details.errorId === 'string' ? shown.details.errorId : randomUUID()
  signals.emit({ type: 'request-failed', requestId, errorId, code: INTERNAL, error: failure })
  return { code: INTERNAL, message: SAFEST, status: 500, details: { errorId }, retryAfter: undefined }
}
