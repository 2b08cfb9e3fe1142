import { isPromise } from '../../base/util/promise.ts'
import type { PublicError, PublicErrorSource } from '../../contract/public-error.ts'
import type { AnyFunction } from '../../contract/stage-definition.ts'

/**
 * Wraps an `error:public` hook of a plugin and checks its result. It copies only the five members of a public error, so
 * that a hook that spreads an error cannot reveal other members. The hook cannot change `errorId`.
 * @returns a hook that throws if the original one throws or returns an invalid result
 */
export function heldToPublicError(handler: AnyFunction): AnyFunction {
  return (shown, source) => {
    try {
      const changed = handler(shown, source as PublicErrorSource)
      return changed === undefined ? undefined : readPublicError(changed, shown as PublicError)
    } catch (cause) {
      // A new error: the thrown one may be the original error, which another plugin caused.
      throw new Error('A hook of error:public failed; the client was told INTERNAL_SERVER_ERROR.', { cause })
    }
  }
}

function readPublicError(changed: unknown, shown: PublicError): PublicError {
  if (isPromise(changed)) {
    changed.then(undefined, () => {})
    throw new TypeError('A hook of error:public gave a promise; it has to answer at once.')
  }
  if (typeof changed !== 'object' || changed === null) throw notPublic('it is no object')
  const { code, message, status, details, retryAfter } = changed as Partial<PublicError>
  if (typeof code !== 'string' || code === '') throw notPublic('`code` is no text')
  if (typeof message !== 'string') throw notPublic('`message` is no text')
  const isStatus = Number.isInteger(status) && status! >= 400 && status! <= 599
  if (!isStatus && status !== shown.status) throw notPublic('`status` is none of 400 to 599')
  if (typeof details !== 'object' || details === null || Array.isArray(details))
    throw notPublic('`details` is no object')
  if (!isJson(details)) throw notPublic('`details` cannot be written as JSON')
  if (retryAfter !== undefined && !Number.isFinite(retryAfter)) throw notPublic('`retryAfter` is no number of seconds')
  const { errorId } = shown.details
  return Object.freeze({
    code,
    message,
    status: status!,
    details: Object.freeze(withErrorId(details, errorId)),
    retryAfter,
  })
}

/** Restores the original `errorId`, which identifies a line of the log. */
function withErrorId(details: PublicError['details'], errorId: unknown): PublicError['details'] {
  const { errorId: _, ...rest } = details
  return errorId === undefined ? rest : { ...rest, errorId }
}

function isJson(value: object): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

function notPublic(why: string): TypeError {
  const form = '{ code, message, status, details, retryAfter }'
  return new TypeError(`A hook of error:public gave no public error: ${why}. It has to return ${form}, or nothing.`)
}
