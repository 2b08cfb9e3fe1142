import { type Auth, definePlugin, type Exchange } from '../../../core/doors/plugin.ts'
import { CALLERS, type Caller } from './callers.ts'

/** Names who asks. */
export const CALLER_HEADER = 'x-caller'

function authOf({ name, tenants }: Caller): Auth {
  return { subject: name, claims: { tenants }, scopes: [], roles: [], method: 'calling' }
}

/** What a plan reads of a request of theirs. */
export function exchangeOf(caller: Caller): Pick<Exchange, 'auth' | 'context'> {
  return { auth: authOf(caller), context: { level: caller.level } }
}

/** Takes a header's word for who asks. */
export const calling = {
  plugin: definePlugin<unknown>(
    { name: 'calling', version: '1.0.0', kernelApi: 1, description: 'Trusts a header.' },
    (scope) => {
      scope.on('authenticate', (exchange) => {
        const caller = CALLERS.find(({ name }) => name === exchange.headers[CALLER_HEADER])
        if (caller === undefined) return undefined
        exchange.context.level = caller.level
        return authOf(caller)
      })
    },
  ),
  options: {},
  source: 'test',
}
