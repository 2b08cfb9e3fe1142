import type { IncomingHttpHeaders } from 'node:http'
import { SvcError } from '../../base/errors/svc-error.ts'
import { isHost, type RequestTarget } from './request-target.ts'

/** The last good value: nearly every request of a service has the same. */
let knownHost = ''

/**
 * Checks the request target and the `Host` header, which every request needs.
 * @param target `null` when it could not be parsed
 * @returns a REQUEST_ERROR that says what is wrong; `null` when both are correct
 */
export function checkRequest(
  target: RequestTarget | null,
  { host }: Pick<IncomingHttpHeaders, 'host'>,
): SvcError | null {
  if (target === null)
    return new SvcError('REQUEST_ERROR', 'The request target has to be a path, or a URL with http or https.')
  if (host === undefined || host === knownHost) return null
  // Two of them arrive joined by a comma (`joinDuplicateHeaders`), which no host has.
  if (!isHost(host) && host !== '')
    return new SvcError('REQUEST_ERROR', 'The header Host has to be one host, with a port or without.')
  knownHost = host
  return null
}
