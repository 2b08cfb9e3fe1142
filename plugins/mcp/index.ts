import { definePlugin, type HttpExchange } from '../../core/doors/plugin.ts'
import type {} from '../cors/api.ts'
import type {} from '../rate-limiting/api.ts'
import type {} from '../subscriptions/api.ts'
import type { McpApi } from './api.ts'
import { CHANGED, Changes } from './changes.ts'
import { createMcp } from './create-mcp.ts'
import { factsOf } from './facts.ts'
import { metadataPaths } from './http/protected-resource.ts'
import { setUpHttp } from './http/set-up-http.ts'
import manifest from './manifest.ts'
import type { MethodParts } from './methods.ts'
import { Offers } from './offers.ts'
import type { McpOptions } from './options.ts'
import { promptsOfTools } from './prompts/operation-prompts.ts'
import { offerSchema } from './resources/schema-resources.ts'
import { serveStdio } from './stdio/serve-stdio.ts'
import { setUpStdio } from './stdio/set-up-stdio.ts'
import { toolsOfSchema } from './tools/tools-of-schema.ts'

/** What plugins that depend on this one speak with. */
export type * from './api.ts'

/**
 * A server of the Model Context Protocol: its tools are the queries and mutations of the schema. A call is an operation like any other
 * front's, and goes through the one guarded pipeline.
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
  // A page of a browser has to read which session it is in, and where to get a credential.
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
