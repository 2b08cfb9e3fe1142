import { packageAssetReader } from '../../core/doors/front.ts'
import { definePlugin, type Reply, SvcError } from '../../core/doors/plugin.ts'
import { wantsHtml } from '../graphql/api.ts'
import type {} from '../subscriptions/api.ts'
import { ASSETS } from './assets.ts'
import manifest from './manifest.ts'
import { CONTENT_SECURITY_POLICY, renderPage, renderStartScript } from './page.ts'

interface GraphiqlOptions {
  readonly default_query: string
}

const ASSET_BASE = '/graphiql'
/** The files change with the package only. */
const CACHE_ONE_DAY = 'public, max-age=86400'

function text(type: string, body: string | Uint8Array, cacheControl: string): Reply {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
      vary: 'Accept',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body,
  }
}

/** The query editor for people who open the endpoint in a browser. Everything comes from this package. */
export default definePlugin<GraphiqlOptions>(manifest, (scope, options) => {
  const graphql = scope.use('graphql')
  // From the endpoint, so that it works below a path of a proxy.
  const page = renderPage(ASSET_BASE.slice(1))
  const readAsset = packageAssetReader(ASSETS, import.meta.url)
  const hasSubscriptions = scope.use('subscriptions', { optional: true }) !== undefined
  const start = renderStartScript(options.default_query, hasSubscriptions)

  const toEditor: Reply = {
    status: 302,
    headers: { location: graphql.endpoint.slice(1), 'cache-control': 'no-store', vary: 'Accept' },
    body: '',
  }

  graphql.serveHtml(() => text('text/html; charset=utf-8', page, 'no-store'))
  // Whoever opens the address that stands in a terminal.
  scope.route({
    method: 'GET',
    path: '/',
    anonymous: true,
    fallback: true,
    handler: ({ headers }) => {
      if (wantsHtml(headers.accept?.toString())) return toEditor
      throw new SvcError('NOT_FOUND', `There is nothing at /. GraphQL is at ${graphql.endpoint}.`)
    },
  })
  for (const [name, asset] of Object.entries(ASSETS)) {
    scope.route({
      method: 'GET',
      path: `${ASSET_BASE}/${name}`,
      anonymous: true,
      handler: async () => text(asset.type, await readAsset(name), CACHE_ONE_DAY),
    })
  }
  scope.route({
    method: 'GET',
    path: `${ASSET_BASE}/start.js`,
    anonymous: true,
    handler: () => text('text/javascript; charset=utf-8', start, 'no-store'),
  })
})
