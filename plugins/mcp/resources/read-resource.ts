import type { ResourceContent } from '../offers/mcp-offers.ts'
import type { Offers } from '../offers/offers.ts'
import type { Client } from '../protocol/client.ts'
import type { Params } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { isModern } from '../protocol/versions.ts'
import { valueIn } from './uri-template.ts'

/**
 * Handles `resources/read`.
 * @returns JSON text of the result
 * @throws RpcError when the resource does not exist or is not visible to the caller
 */
export async function readResource(offers: Offers, { uri }: Params, { exchange, version }: Client): Promise<string> {
  if (typeof uri !== 'string') throw new RpcError(RPC.invalidParams, '"uri" has to be a text.')
  const resource = offers.resources.get(uri)
  if (resource !== undefined) return contentText(uri, resource.mimeType, await resource.read(exchange))
  for (const template of offers.templates) {
    const value = valueIn(template.uriTemplate, uri)
    const content = value === null ? null : await template.read(exchange, value)
    if (content !== null) return contentText(uri, template.mimeType, content)
  }
  const code = isModern(version) ? RPC.invalidParams : RPC.resourceNotFound
  throw new RpcError(code, `There is no resource at ${uri.slice(0, 200)}.`, { data: { uri } })
}

function contentText(uri: string, mimeType: string | undefined, content: ResourceContent): string {
  return JSON.stringify({ contents: [{ uri, mimeType, ...content }] })
}
