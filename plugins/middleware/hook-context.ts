import type { HookContext } from '../../core/doors/command.ts'
import type { Exchange, MutationCall } from '../../core/doors/plugin.ts'

/** What the hooks of a mutation are given of the request, and the transaction. */
export function hookContext(ctx: Exchange, { mutation, kind, session, dryRun }: MutationCall): HookContext {
  return {
    mutation,
    operation: kind,
    id: ctx.id,
    transport: ctx.transport,
    headers: ctx.headers,
    address: ctx.address,
    auth: ctx.auth,
    context: ctx.context,
    isDryRun: dryRun,
    query: async (text, parameters = []) => (await session.query({ name: null, text }, parameters)).rows,
  }
}
