import type { HttpExchange } from '../../../core/doors/plugin.ts'
import type { RpcRequest } from '../protocol/message.ts'
import { isObject, metaOf, type Params } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { isModern, LEGACY_VERSIONS, VERSIONS } from '../protocol/versions.ts'
import { headerText } from './header-value.ts'

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

type Headers = HttpExchange['headers']

/** Parameter that `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** Tests whether an MCP request names its protocol revision in `params._meta`, as since revision 2026-07-28. */
export function saysVersion(params: Params): boolean {
  return Object.hasOwn(metaOf(params), VERSION_KEY)
}

/**
 * Checks that svc supports a protocol revision of MCP.
 * @param status HTTP status of the error
 * @throws RpcError −32022
 */
export function checkVersion(version: string, status = 400): void {
  if (VERSIONS.includes(version)) return
  throw new RpcError(RPC.unsupportedVersion, `Protocol version "${version.slice(0, 50)}" is not supported.`, {
    status,
    data: { supported: VERSIONS, requested: version.slice(0, 50) },
  })
}

/**
 * Checks `params._meta` of an MCP request, which is required since revision 2026-07-28.
 * @returns capabilities that the client declares
 * @throws RpcError −32602 for missing members; −32022 for an unsupported revision
 */
export function readMeta({ params }: Pick<RpcRequest, 'params'>): Params {
  const meta = metaOf(params)
  const version = meta[VERSION_KEY]
  if (typeof version !== 'string') throw missing(VERSION_KEY)
  checkVersion(version)
  if (!isModern(version))
    throw new RpcError(RPC.unsupportedVersion, `Revision ${version} begins with \`initialize\`.`, {
      status: 400,
      data: { supported: VERSIONS.filter((one) => !LEGACY_VERSIONS.some((old) => old === one)), requested: version },
    })
  const capabilities = meta[CAPABILITIES_KEY]
  if (!isObject(capabilities)) throw missing(CAPABILITIES_KEY)
  return capabilities
}

function missing(key: string): RpcError {
  return new RpcError(RPC.invalidParams, `"_meta" of the params has to have "${key}".`, { status: 400 })
}

/**
 * Checks that the HTTP headers of an MCP request agree with its message. Proxies decide by the headers, so a difference
 * could bypass them.
 * @throws RpcError −32020
 */
export function checkHeaders(headers: Headers, { method, params }: Pick<RpcRequest, 'method' | 'params'>): void {
  expect(headers, 'mcp-method', 'Mcp-Method', method)
  const version = metaOf(params)[VERSION_KEY]
  if (typeof version === 'string') expect(headers, 'mcp-protocol-version', 'MCP-Protocol-Version', version)
  const named = Object.hasOwn(NAMED, method) ? params[NAMED[method]!] : undefined
  if (typeof named === 'string') expect(headers, 'mcp-name', 'Mcp-Name', named)
}

function expect(headers: Headers, name: string, shown: string, value: string): void {
  const given = headers[name]
  if (typeof given !== 'string') throw mismatch(`the header ${shown} is missing.`)
  if (headerText(given) !== value) throw mismatch(`the header ${shown} is not what the message says.`)
}

function mismatch(why: string): RpcError {
  return new RpcError(RPC.headerMismatch, `Header mismatch: ${why}`, { status: 400 })
}
