import { definePlugin, SvcError } from 'svc'
import type {} from 'svc/graphql'
import { readLabels, type TypeLabels } from './labels.ts'
import { createLineListener } from './line-listener.ts'
import manifest from './manifest.ts'

interface Options {
  readonly port: number
}

declare module 'svc' {
  interface PluginSignals {
    'labels:listening': { readonly port: number }
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

export default definePlugin<Options>(manifest, (scope, { port }) => {
  const graphql = scope.use('graphql')
  const asked = scope.metrics.counterBy('labels_asked_total')
  const byGraphql = asked('graphql')
  const byRoute = asked('route')

  // Belongs to the schema: a request keeps its generation, and the last one disposes of it.
  const labels = scope.perGeneration((schema) => new Map(readLabels(schema)), { dispose: (map) => map.clear() })

  // Types come with the schema from compile.ts; without any label there are none.
  graphql.extend(scope.plugin, (schema) => {
    if (readLabels(schema).size === 0) return {}
    return {
      roots: [
        {
          kind: 'query',
          field: 'labels(type: ID): [Label!]!',
          resolve: (ctx, { type }) => {
            byGraphql.add()
            return [...labels.of(ctx.generation)]
              .filter(([name]) => type === undefined || type === null || name === type)
              .map(toLabel)
          },
        },
      ],
    }
  })

  // One route for each type with a label; the routes change with the schema.
  scope.routes((schema) =>
    [...readLabels(schema)].map((entry) => ({
      method: 'GET',
      path: `/labels/${entry[0]}`,
      handler() {
        byRoute.add()
        return { status: 200, headers: JSON_TYPE, body: JSON.stringify(toLabel(entry)) }
      },
    })),
  )
  scope.route({
    method: 'GET',
    path: '/labels/:type',
    handler(ctx) {
      throw new SvcError('LABELS_UNKNOWN', `There are no labels of ${ctx.params.type}.`)
    },
  })

  const listener = createLineListener(scope, graphql)
  scope.metrics.gauge('labels_connections', () => listener.connections)
  scope.onReady(async () => {
    const open = await listener.listen(port)
    scope.signals.emit({ type: 'labels:listening', message: `lines on port ${open}`, port: open })
  })
  scope.onDrain(() => listener.drain())
  scope.onClose(() => listener.close())
})

function toLabel([type, { label, fields }]: readonly [string, TypeLabels]) {
  return { type, text: label, fields: Object.entries(fields).map(([name, text]) => ({ name, text })) }
}
