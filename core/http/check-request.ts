import type { IncomingHttpHeaders } from 'node:http'
import { SvcError } from '../errors/svc-error.ts'
import { isHost, type RequestTarget } from './request-target.ts'

/** The last good value: nearly every request of a service has the same. */
let knownHost = ''

/**
 * What is wrong with a request, whatever it asks for.
 * @param target `null`: it could not be read
 * @returns SvcError REQUEST_ERROR; `null` = nothing
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
