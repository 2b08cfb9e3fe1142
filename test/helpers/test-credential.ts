import { SvcError } from '../../core/base/errors/svc-error.ts'
import type { Auth } from '../../core/contract/exchange.ts'
import type { PluginInstance } from '../../core/kernel/kernel-options.ts'
import { entry, plugin } from './kernel.ts'

/** Who asks, as the header of a test says it. */
export interface TestCaller {
  readonly subject?: string
  readonly scopes?: readonly string[]
  readonly roles?: readonly string[]
  readonly claims?: Readonly<Record<string, unknown>>
  readonly method?: string
}

/** Believes what the header `x-caller` says, as JSON: who is asking, for tests of what they may do. */
export function testCredential(): PluginInstance {
  return entry(
    plugin('test-credential', (scope) => {
      scope.credentials({ in: 'header', name: 'X-Caller', scheme: 'key' })
      scope.on('authenticate', ({ headers }) => {
        const given = headers['x-caller']
        if (typeof given !== 'string') return undefined
        if (!given.startsWith('{')) throw new SvcError('UNAUTHENTICATED', 'The caller is not valid.')
        return authOf(JSON.parse(given))
      })
    }),
  )
}

export function authOf({ subject = 'ann', scopes = [], roles = [], claims = {}, method = 'jwt' }: TestCaller): Auth {
  return { subject, scopes, roles, claims: { sub: subject, ...claims }, method }
}

/** The header that says who asks; `null`: nobody. */
export function as(caller: TestCaller | null): Readonly<Record<string, string>> {
  return caller === null ? {} : { 'x-caller': JSON.stringify(caller) }
}
