import {
  type Auth,
  type Exchange,
  type OtherExchange,
  type PublicError,
  type Reply,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type { ConnectionParts } from './connection-parts.ts'

const NOTHING: Reply = { status: 204, headers: {}, body: null }

/** The outcome of `connection_init`. */
export interface Admission {
  /** `null`: the connection is accepted. */
  readonly failure: PublicError | null
  readonly auth: Auth | null
  /** Context values that hooks have set. They hold for all operations of the connection. */
  readonly context: Exchange['context']
  /** To be called when an accepted connection ends. */
  readonly told: (() => void) | null
}

/**
 * Authenticates a connection, and calls `on_connect`.
 * @param id of the connection
 * @param payload of `connection_init`
 */
export async function admit(
  id: string,
  payload: unknown,
  { headers, address }: Pick<Exchange, 'headers' | 'address'>,
  parts: ConnectionParts,
): Promise<Admission> {
  const found: { -readonly [Key in keyof Admission]: Admission[Key] } = {
    failure: null,
    auth: null,
    context: {},
    told: null,
  }
  const renderError = (ctx: OtherExchange, error: unknown): Reply => {
    found.failure = parts.toPublicError(error, ctx)
    return NOTHING
  }
  const reply = await parts.enter({ transport: 'websocket', headers, address, renderError }, async (ctx) => {
    if (ctx.auth === null && parts.isClosed(ctx)) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
    found.told = await parts.subscriptions.connected(id, payload)
    found.auth = ctx.auth
    found.context = ctx.context
    return NOTHING
  })
  // A hook of onRequest may have answered in the place of the handler.
  if (found.failure === null && found.told === null) {
    const code = reply.status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN'
    found.failure = parts.toPublicError(new SvcError(code, 'Refused.'), null)
  }
  return found
}
