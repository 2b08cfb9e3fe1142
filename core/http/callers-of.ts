import type { Config } from '../contract/config.ts'
import type { Kernel } from '../kernel/running-kernel.ts'
import type { CacheabilityParts } from './cacheability.ts'

interface Config {
  readonly session_variables?: {
    readonly variables?: readonly { readonly source: string; readonly header?: string }[]
  }
}

/** Collects the places of credentials, and the headers that session variables read, for {@link CacheabilityParts}. */
export function callersOf(
  kernel: Pick<Kernel, 'credentials' | 'describe'>,
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
}: Pick<Kernel, 'credentials' | 'describe'>): readonly string[] {
  const chain = describe().hooks.find(({ stage }) => stage === 'authenticate')
  return (chain?.plugins ?? []).filter((name) => !credentials.some(({ plugin }) => plugin === name))
}
