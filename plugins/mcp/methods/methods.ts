import { type Exchange, isPromise, type MaybePromise, type ToPublicError } from '../../../core/doors/plugin.ts'
import { allowed, type Offers } from '../offers/offers.ts'
import type { Client } from '../protocol/client.ts'
import { isObject, metaOf, type Params, type RpcRequest } from '../protocol/message.ts'
import { type Page, pageOf } from '../protocol/page.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { isModern, negotiate, VERSIONS } from '../protocol/versions.ts'
import { writeOwn } from '../protocol/write-own.ts'
import { completeFor } from '../resources/complete.ts'
import { readResource } from '../resources/read-resource.ts'
import type { McpCall } from '../tools/mcp-tool.ts'
import { errorResult } from '../tools/tool-errors.ts'
import { writeDefinition } from '../tools/write-definition.ts'
import type { Facts } from './facts.ts'

export interface MethodParts {
  readonly offers: Offers
  readonly facts: Facts
  readonly pageSize: number
  readonly toPublicError: ToPublicError
  readonly counted: { called(tool: string): void; failed(tool: string): void }
}

type Method = (parts: MethodParts, params: Params, client: Client) => MaybePromise<string>

/** Time for which clients can cache a list. Subscribed clients are notified of changes earlier. */
const FRESH_MS = 60_000
const FRESHNESS = `"ttlMs":${FRESH_MS},"cacheScope":"private"`
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'

const SHARED: Readonly<Record<string, Method>> = {
  'tools/list': listTools,
  'tools/call': callTool,
  'resources/list': ({ offers, pageSize }, { cursor }, { version }) => {
    const all = [...offers.resources.values()].map(({ read: _, ...shown }) => shown)
    return listText(
      'resources',
      pageOf(all, ({ uri }) => uri, cursor, pageSize),
      version,
    )
  },
  'resources/templates/list': ({ offers, pageSize }, { cursor }, { version }) => {
    const all = offers.templates.map(({ read: _, complete: __, ...shown }) => shown)
    return listText(
      'resourceTemplates',
      pageOf(all, ({ uriTemplate }) => uriTemplate, cursor, pageSize),
      version,
    )
  },
  'resources/read': async ({ offers }, params, client) =>
    fresh(await readResource(offers, params, client), client.version),
  'prompts/list': async ({ offers, pageSize }, { cursor }, { exchange, version }) => {
    const all = await allowed(offers.prompts(exchange.generation), (each) => each.mayGet?.(exchange) ?? true, exchange)
    const shown = all.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
    }))
    return listText(
      'prompts',
      pageOf(shown, ({ name }) => name, cursor, pageSize),
      version,
    )
  },
  'prompts/get': getPrompt,
  'completion/complete': async ({ offers }, params, client) =>
    JSON.stringify(await completeFor(offers, params, client)),
}

const LEGACY: Readonly<Record<string, Method>> = {
  ...SHARED,
  initialize: ({ facts }, { protocolVersion }) => {
    const { capabilities, serverInfo, instructions } = facts
    return JSON.stringify({ protocolVersion: negotiate(protocolVersion), capabilities, serverInfo, instructions })
  },
  ping: () => '{}',
}

const MODERN: Readonly<Record<string, Method>> = {
  ...SHARED,
  'server/discover': ({ facts: { capabilities, serverInfo, instructions } }) =>
    JSON.stringify({
      supportedVersions: VERSIONS,
      capabilities,
      serverInfo,
      instructions,
      ttlMs: FRESH_MS,
      cacheScope: 'public',
    }),
}

/**
 * Runs the method of an MCP request.
 * @returns JSON text of the result
 * @throws RpcError for an unknown method or invalid parameters; errors of access rules
 */
export function answer(parts: MethodParts, { method, params }: RpcRequest, client: Client): MaybePromise<string> {
  const modern = isModern(client.version)
  const methods = modern ? MODERN : LEGACY
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (known === undefined) {
    throw new RpcError(RPC.methodNotFound, `There is no method "${method}".`, modern ? { status: 404 } : {})
  }
  const result = known(parts, params, client)
  if (!modern) return result
  return isPromise(result) ? result.then((text) => complete(text, parts.facts)) : complete(result, parts.facts)
}

/** Adds `resultType` and `serverInfo`, which results of the newest revision have. */
function complete(result: string, { serverInfo }: Facts): string {
  const rest = result.slice(1)
  // The result of a plugin may have a `resultType` already.
  const type = /^\{"resultType":/.test(result) ? '' : '"resultType":"complete",'
  const meta = `"_meta":{${JSON.stringify(SERVER_INFO)}:${JSON.stringify(serverInfo)}}`
  return `{${type}${meta}${rest === '}' ? '' : ','}${rest}`
}

async function listTools(
  { offers, pageSize }: MethodParts,
  { cursor }: Params,
  { exchange, version }: Client,
): Promise<string> {
  const all = await allowed(offers.tools(exchange.generation), (tool) => tool.mayCall(exchange), exchange)
  const { items, nextCursor } = pageOf(all, ({ definition }) => definition.name, cursor, pageSize)
  const texts = items.map(({ definition }) => writeDefinition(definition, version))
  const next = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`
  return fresh(`{"tools":[${texts.join(',')}]${next}}`, version)
}

function listText(key: string, { items, nextCursor }: Page<object>, version: string): string {
  return fresh(JSON.stringify({ [key]: items, nextCursor }), version)
}

function fresh(result: string, version: string): string {
  return isModern(version) ? `{${FRESHNESS},${result.slice(1)}` : result
}

async function callTool(parts: MethodParts, params: Params, client: Client): Promise<string> {
  const { name } = params
  const tool = typeof name === 'string' ? parts.offers.tool(client.exchange.generation, name) : undefined
  if (tool === undefined)
    throw new RpcError(RPC.invalidParams, `There is no tool ${JSON.stringify(name)?.slice(0, 100)}.`)
  parts.counted.called(tool.definition.name)
  try {
    return await tool.call(toCall(params, client))
  } catch (error) {
    parts.counted.failed(tool.definition.name)
    if (error instanceof RpcError) throw error
    return errorResult(error, parts.toPublicError, client.exchange)
  }
}

/**
 * Tests whether an MCP request calls a tool that can send notifications before its result, so that the HTTP reply must
 * be an event stream.
 */
export function mayStream({ offers }: MethodParts, { method, params }: RpcRequest, { generation }: Exchange): boolean {
  const { name } = params
  if (method !== 'tools/call' || typeof name !== 'string') return false
  const streams = offers.tool(generation, name)?.streams ?? 'never'
  return streams === 'always' || (streams === 'progress' && metaOf(params).progressToken !== undefined)
}

/**
 * Returns the JSON Schema of the arguments of the tool that an MCP request calls; `null` for other methods and unknown
 * tools.
 */
export function inputSchemaOf(
  { offers }: MethodParts,
  { method, params }: RpcRequest,
  { generation }: Exchange,
): object | null {
  const { name } = params
  if (method !== 'tools/call' || typeof name !== 'string') return null
  return offers.tool(generation, name)?.definition.inputSchema ?? null
}

async function getPrompt({ offers }: MethodParts, params: Params, client: Client): Promise<string> {
  const { name } = params
  const { exchange } = client
  const prompt = typeof name === 'string' ? offers.prompt(exchange.generation, name) : undefined
  const isOpen = prompt !== undefined && (await (prompt.mayGet?.(exchange) ?? true))
  if (prompt === undefined || !isOpen)
    throw new RpcError(RPC.invalidParams, `There is no prompt ${JSON.stringify(name)?.slice(0, 100)}.`)
  const call = toCall(params, client)
  const missing = prompt.arguments.find((each) => each.required && typeof call.arguments[each.name] !== 'string')
  if (missing !== undefined) throw new RpcError(RPC.invalidParams, `"${name}" needs the argument "${missing.name}".`)
  return writeOwn(await prompt.get(call))
}

function toCall(params: Params, client: Client): McpCall {
  const { exchange, version, capabilities, notify } = client
  const { arguments: given = {} } = params
  if (!isObject(given)) throw new RpcError(RPC.invalidParams, '"arguments" has to be an object.')
  const { progressToken } = metaOf(params)
  return {
    exchange,
    version,
    params,
    arguments: given,
    clientCapabilities: capabilities,
    notify: (method, said) => notify?.(method, said),
    progress(progress, total, message) {
      if (progressToken === undefined) return
      notify?.('notifications/progress', { progressToken, progress, total, message })
    },
  }
}
