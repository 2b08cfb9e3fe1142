import { RPC, RpcError } from './rpc-error.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | undefined
}

const PREFIX = 'n:'

/**
 * Returns one page of a list for MCP. The cursor names the last item of the previous page, so that added and removed
 * items do not shift pages.
 * @param cursor `cursor` of the request; `undefined`: first page
 * @param size maximum number of items in a page
 * @throws RpcError −32602 for a cursor that this function did not create
 */
export function pageOf<T>(all: readonly T[], nameOf: (item: T) => string, cursor: unknown, size: number): Page<T> {
  const start = startOf(all, nameOf, cursor)
  const items = all.slice(start, start + size)
  const last = items.at(-1)
  const isEnd = last === undefined || start + items.length >= all.length
  return { items, nextCursor: isEnd ? undefined : Buffer.from(PREFIX + nameOf(last)).toString('base64url') }
}

function startOf<T>(all: readonly T[], nameOf: (item: T) => string, cursor: unknown): number {
  if (cursor === undefined || cursor === null) return 0
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : ''
  const at = text.startsWith(PREFIX) ? all.findIndex((item) => nameOf(item) === text.slice(PREFIX.length)) : -1
  if (at === -1) throw new RpcError(RPC.invalidParams, 'The cursor is not known: ask for the list from its beginning.')
  return at + 1
}
