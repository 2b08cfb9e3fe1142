import type { Config } from '../../contract/config.ts'
import type { ServiceKernel } from '../plugins/service-kernel.ts'
import type { CacheabilityParts } from './cacheability.ts'

/** Returns the request headers and cookies that identify callers: declared credentials, and sources of session variables. */
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

/** Names of plugins that hook `authenticate` without declaring the location of their credentials (`scope.credentials`). */
export function silentAuthenticators({
  credentials,
  describe,
}: Pick<ServiceKernel, 'credentials' | 'describe'>): readonly string[] {
  const chain = describe().hooks.find(({ stage }) => stage === 'authenticate')
  return (chain?.plugins ?? []).filter((name) => !credentials.some(({ plugin }) => plugin === name))
}
