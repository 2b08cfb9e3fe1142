import type { Config } from '../../contract/config.ts'
import type { ServiceKernel } from '../plugins/service-kernel.ts'
import type { CacheabilityParts } from './cacheability.ts'

/** What a service knows of the ways in which callers say who they are. */
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

/** Names of the plugins that hook `authenticate` and do not declare with `scope.credentials` where their credentials are. */
export function silentAuthenticators({
  credentials,
  describe,
}: Pick<ServiceKernel, 'credentials' | 'describe'>): readonly string[] {
  const chain = describe().hooks.find(({ stage }) => stage === 'authenticate')
  return (chain?.plugins ?? []).filter((name) => !credentials.some(({ plugin }) => plugin === name))
}
