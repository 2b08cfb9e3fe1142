import { SvcError } from '../../base/errors/svc-error.ts'

/** A parameter of a query string, with decoded name and value. */
export interface QueryPair {
  readonly name: string
  readonly value: string
  /** The parameter as it is in the query string, for links to other pages: `a=b%20c`. */
  readonly raw: string
}

const MOST_PARAMETERS = 1000
const LONGEST = 1_048_576
const NONE: readonly QueryPair[] = []

/**
 * Parses a query string into its parameters, in order.
 * @throws SvcError BAD_REQUEST: invalid percent-encoding of UTF-8; VALIDATION_ERROR: too long, or more than 1,000
 * parameters
 */
export function readPairs(queryString: string): readonly QueryPair[] {
  if (queryString === '') return NONE
  if (queryString.length > LONGEST) throw overLimit(`A query string may have ${LONGEST} bytes.`)
  const pairs: QueryPair[] = []
  let start = 0
  while (start <= queryString.length) {
    let end = queryString.indexOf('&', start)
    if (end === -1) end = queryString.length
    if (end > start) {
      if (pairs.length === MOST_PARAMETERS) throw overLimit(`A request may have ${MOST_PARAMETERS} parameters.`)
      const raw = queryString.slice(start, end)
      const equals = raw.indexOf('=')
      const name = equals === -1 ? raw : raw.slice(0, equals)
      pairs.push({ name: decode(name), value: equals === -1 ? '' : decode(raw.slice(equals + 1)), raw })
    }
    start = end + 1
  }
  return pairs
}

function decode(text: string): string {
  const plain = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!plain.includes('%')) return plain
  try {
    return decodeURIComponent(plain)
  } catch {
    throw new SvcError('BAD_REQUEST', `"${text.slice(0, 100)}" in the query string is no percent-encoded UTF-8.`)
  }
}

/** Creates the error (status 400) for a query string that exceeds a limit. */
function overLimit(message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', message)
}
