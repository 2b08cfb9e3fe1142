import type { HttpExchange } from '../../../core/doors/plugin.ts'
import { isObject, type Params } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { headerText } from './header-value.ts'

interface Mirrored {
  readonly header: string
  readonly path: readonly string[]
}

const found = new WeakMap<object, readonly Mirrored[]>()

/**
 * Arguments that a tool of a plugin wants in headers, too (`x-mcp-header`): whoever looks at the one has to be able to trust the other.
 * @throws RpcError −32020
 */
export function checkParameters(headers: HttpExchange['headers'], schema: object, values: Params): void {
  for (const { header, path } of mirroredIn(schema)) {
    const given = headers[`mcp-param-${header.toLowerCase()}`]
    const value = path.reduce<unknown>(
      (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      values,
    )
    const isThere = value !== undefined && value !== null
    if (!isThere && given === undefined) continue
    if (!isThere || typeof given !== 'string' || !isSame(headerText(given), value)) {
      const message = `Header mismatch: the header Mcp-Param-${header} is not what "${path.join('.')}" says.`
      throw new RpcError(RPC.headerMismatch, message, { status: 400 })
    }
  }
}

function isSame(text: string | null, value: unknown): boolean {
  if (text === null) return false
  if (typeof value === 'number') return text.trim() !== '' && Number(text) === value
  return text === String(value)
}

function mirroredIn(schema: object): readonly Mirrored[] {
  let mirrored = found.get(schema)
  if (mirrored === undefined) {
    mirrored = [...walk(schema, [])]
    found.set(schema, mirrored)
  }
  return mirrored
}

/** Members of members; what stands anywhere else is no path. */
function* walk(schema: unknown, path: readonly string[]): Generator<Mirrored> {
  if (!isObject(schema)) return
  const { properties, 'x-mcp-header': header } = schema
  if (typeof header === 'string' && path.length > 0) yield { header, path }
  if (!isObject(properties)) return
  for (const [name, member] of Object.entries(properties)) yield* walk(member, [...path, name])
}
