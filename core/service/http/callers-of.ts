import type { Config } from '../../contract/config.ts'
import type { ServiceKernel } from '../plugins/service-kernel.ts'
import type { CacheabilityParts } from './cacheability.ts'

/**
 * Returns the request headers and cookies by which callers differ: those of credentials that plugins declare, and those
 * that session variables read.
 */
export function callersOf(
  kernel: Pick<ServiceKernel, 'credentials' | 'describe'>,
  { session_variables: { variables } }: Pick<Config, 'session_variables'>,
): CacheabilityParts {
  return {
    credentials: kernel.credentials,
    variesBy: variables.flatMap(({ source, header }) => (source === 'header' && header !== undefined ? [header] : [])),
    hasUnknown: silentAuthenticators(kernel).length > 0,
  }
}

/**
 * Returns the names of plugins that verify credentials (`authenticate`) and do not declare in which header or cookie
 * (`scope.credentials`).
 */
export function silentAuthenticators({
  credentials,
  describe,
}: Pick<ServiceKernel, 'credentials' | 'describe'>): readonly string[] {
  const chain = describe().hooks.find(({ stage }) => stage === 'authenticate')
  return (chain?.plugins ?? []).filter((name) => !credentials.some(({ plugin }) => plugin === name))
}
