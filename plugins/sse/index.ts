import { definePlugin } from '../../core/doors/plugin.ts'
import type {} from '../graphql/api.ts'
import type {} from '../observers/api.ts'
import type {} from '../rest/api.ts'
import type {} from '../subscriptions/api.ts'
import manifest from './manifest.ts'
import type { SseOptions } from './options.ts'
import { serveGraphQL } from './serve-graphql.ts'
import { serveRest } from './serve-rest.ts'

const PATH = '/stream'

/**
 * The plugin that sends subscriptions and changes of resources over HTTP as server-sent events (docs/plugins/sse.md).
 */
export default definePlugin<SseOptions>(manifest, (scope, options) => {
  const graphql = scope.use('graphql')
  const subscriptions = scope.use('subscriptions')
  const handler = serveGraphQL(scope, options, graphql, subscriptions)
  graphql.serveEvents(handler)
  for (const method of ['GET', 'POST'] as const) scope.route({ method, path: `${graphql.endpoint}${PATH}`, handler })

  const rest = scope.use('rest', { optional: true })
  const events = scope.use('events', { optional: true })
  // Without events the routes stay unimplemented.
  if (rest === undefined || events === undefined) return
  events.want((schema) => [...schema.queries.values()].flatMap(({ list, named }) => (list ? [named.name] : [])))
  rest.stream(serveRest(scope, options, subscriptions))
})
