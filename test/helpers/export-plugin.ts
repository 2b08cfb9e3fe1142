import { streamBody } from '../../core/doors/front.ts'
import { definePlugin, type Manifest, type Result } from '../../core/doors/plugin.ts'
import type { PluginInstance } from '../../core/kernel/kernel-options.ts'
import type {} from '../../plugins/graphql/api.ts'

const manifest: Manifest = {
  name: 'export',
  version: '0.0.0',
  kernelApi: 1,
  description: 'The list of a GraphQL query, one row a line.',
  dependencies: ['graphql'],
  config: 'export',
  options: { type: 'object', additionalProperties: false, properties: {} },
}

/** Results with a stream, newest last: for looking at what became of them. */
export interface ExportPlugin extends PluginInstance {
  readonly results: Result[]
}

/** `GET /export?query=…[&form=columns][&forever=1]`: what any front does that streams. */
export function createExportPlugin(): ExportPlugin {
  const results: Result[] = []
  const plugin = definePlugin(manifest, (scope) => {
    const graphql = scope.use('graphql')
    scope.route({
      method: 'GET',
      path: '/export',
      async handler(ctx) {
        const search = new URLSearchParams(ctx.queryString)
        if (search.has('forever')) ctx.liftDeadline()
        const form = search.get('form') === 'columns' ? 'columns' : 'rows'
        const request = {
          query: search.get('query'),
          variables: null,
          operationName: null,
          extensions: null,
          other: {},
        }
        const result = await scope.engine.run(ctx, { ...(await graphql.prepare(ctx, request)), form })
        results.push(result)
        const { stream, errors } = result
        if (stream === undefined) throw errors![0]
        const line = (error: unknown): string => `${JSON.stringify({ error: graphql.renderErrors(ctx, error)[0] })}\n`
        const end = (error: unknown): string => (error === null ? stream.errors.map(line).join('') : line(error))
        const headers = { 'content-type': 'application/x-ndjson' }
        const body =
          stream.form === 'rows'
            ? streamBody(stream, (rows) => `${rows.join('\n')}\n`, end)
            : streamBody(stream, (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''), end)
        return { status: 200, headers, body }
      },
    })
  })
  return { plugin, options: {}, source: 'test', results }
}
