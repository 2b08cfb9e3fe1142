import type { IncomingHttpHeaders } from 'node:http'
import { SvcError } from '../../base/errors/svc-error.ts'
import { isHost, type RequestTarget } from './request-target.ts'

/** The last valid value. Most requests of a service have the same `Host`. */
let knownHost = ''

/**
 * Checks the request target and the `Host` header, which every request needs.
 * @param target `null` when it could not be parsed
 * @returns a REQUEST_ERROR that describes the problem; `null` when both are valid
 */
export function checkRequest(
  target: RequestTarget | null,
  { host }: Pick<IncomingHttpHeaders, 'host'>,
): SvcError | null {
  if (target === null)
    return new SvcError('REQUEST_ERROR', 'The request target has to be a path, or a URL with http or https.')
  if (host === undefined || host === knownHost) return null
  // Node joins repeated headers with a comma (`joinDuplicateHeaders`), which is not valid in a host.
  if (!isHost(host) && host !== '')
    return new SvcError('REQUEST_ERROR', 'The header Host has to be one host, with a port or without.')
  knownHost = host
  return null
}
