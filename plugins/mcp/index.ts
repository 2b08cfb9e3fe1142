import { enterAs, readIdentity } from '../../core/doors/front.ts'
import { definePlugin, type HttpExchange, type Scope } from '../../core/doors/plugin.ts'
import type {} from '../cors/api.ts'
import type {} from '../rate-limiting/api.ts'
import type {} from '../subscriptions/api.ts'
import type { McpApi, McpListing } from './api.ts'
import { metadataPaths } from './http/protected-resource.ts'
import { setUpHttp } from './http/set-up-http.ts'
import manifest from './manifest.ts'
import { factsOf } from './methods/facts.ts'
import { answer, type MethodParts } from './methods/methods.ts'
import { Offers } from './offers/offers.ts'
import type { McpOptions } from './options.ts'
import { promptsOfTools } from './prompts/operation-prompts.ts'
import { CHANGED, Changes } from './protocol/changes.ts'
import { MODERN_VERSION } from './protocol/versions.ts'
import { offerSchema } from './resources/schema-resources.ts'
import { serveStdio } from './stdio/serve-stdio.ts'
import { setUpStdio } from './stdio/set-up-stdio.ts'
import { toolsOfSchema } from './tools/tools-of-schema.ts'

/** Types for plugins that depend on this one. */
export type * from './api.ts'

/**
 * The plugin that serves the Model Context Protocol (MCP). Its tools run the queries and mutations of the schema, with
 * the same access rules as other APIs.
 */
export default definePlugin<McpOptions>(manifest, async (scope, options) => {
  const ofSchema = scope.perGeneration((schema) => {
    const tools = toolsOfSchema(schema, options, scope)
    return { tools, prompts: promptsOfTools(tools.values()) }
  })
  const offers = new Offers(ofSchema)
  offerSchema(offers, scope.engine)
  const changes = new Changes()
  scope.onClose(
    scope.signals.subscribe((signal) => {
      if (signal.type === 'generation-loaded' && signal.reason !== 'boot')
        for (const what of CHANGED) changes.tell(what)
    }),
  )

  const calls = scope.metrics.counterBy('svc_mcp_tool_calls_total')
  const failures = scope.metrics.counterBy('svc_mcp_tool_errors_total')
  const methods: MethodParts = {
    offers,
    facts: factsOf(scope.config.project, options.instructions),
    pageSize: options.list_page_size,
    toPublicError: scope.pipeline.toPublicError,
    counted: { called: (tool) => calls(tool).add(), failed: (tool) => failures(tool).add() },
  }
  const overHttp = options.transport !== 'stdio'
  const { max_body_bytes: maxLineBytes } = scope.config.server
  const { require_auth: requireAuth, max_streams_per_caller: mostListeners } = options
  const stdio = { scope, methods, changes, requireAuth, maxLineBytes, mostListeners }
  const serve: McpApi['serve'] = (streams) => serveStdio(stdio, streams)
  scope.provide('mcp', createMcp(scope, methods, changes, overHttp ? options.path : null, serve))
  if (options.transport !== 'http') setUpStdio(scope, options, serve)
  const clientAddress = scope.use('clientAddress', { optional: true })
  const cors = scope.use('cors', { optional: true })
  const rates = scope.use('rateLimits', { optional: true })
  const subscriptions = scope.use('subscriptions', { optional: true })
  const own = scope.config.server.tls.enabled ? 'https' : 'http'
  const schemeOf = (ctx: HttpExchange): string => clientAddress?.scheme(ctx) ?? own
  // Scripts in browsers read the session and the address of the authorization server from these headers.
  const exposed = ['Mcp-Session-Id', 'WWW-Authenticate']
  if (!overHttp) return
  for (const path of [options.path, ...metadataPaths(options)])
    cors?.open(path, { origins: options.allowed_origins, exposed })
  await setUpHttp(scope, options, {
    methods,
    changes,
    schemeOf,
    clientOf: (ctx) => clientAddress?.subscriberOf(ctx) ?? ctx.address,
    watch: ({ headers, address, auth }, ended) =>
      subscriptions?.watch({ transport: 'internal', headers, address, auth }, ended) ?? (() => {}),
    count: (ctx) => rates?.count(ctx),
  })
})

/** Creates the API for other plugins and for `svc mcp check`. */
function createMcp(
  scope: Pick<Scope, 'pipeline' | 'plugin'>,
  methods: MethodParts,
  changes: Changes,
  path: string | null,
  serve: McpApi['serve'],
): McpApi {
  const { offers } = methods
  const whole = { ...methods, pageSize: Number.MAX_SAFE_INTEGER }
  return {
    path,
    serve,
    tool: (tool) => offers.addTool(tool),
    resource: (resource) => offers.addResource(resource),
    resourceTemplate: (template) => void offers.templates.push(template),
    prompt: (prompt) => offers.addPrompt(prompt),
    changed: (what) => changes.tell(what),
    listFor: (as) =>
      enterAs(scope.pipeline, readIdentity(as, scope.plugin), async (exchange): Promise<McpListing> => {
        const client = { exchange, version: MODERN_VERSION, capabilities: {}, notify: null }
        const ask = async (method: string) =>
          JSON.parse(await answer(whole, { kind: 'request', id: 0, method, params: {} }, client))
        const { tools } = await ask('tools/list')
        const { resources } = await ask('resources/list')
        const { prompts } = await ask('prompts/list')
        return { tools, resources, prompts }
      }),
  }
}
