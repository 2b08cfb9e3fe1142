import { http } from '../../core/doors/front.ts'
import { definePlugin, type Reply, SvcError } from '../../core/doors/plugin.ts'
import { wantsHtml } from '../graphql/api.ts'
import type {} from '../subscriptions/api.ts'
import { ASSETS } from './assets.ts'
import manifest from './manifest.ts'
import { renderStartScript } from './start-script.ts'

/** For plugins that add to the page. Call it during set-up. */
interface Editor {
  /** Adds a script of this service to the end of the page. @param path relative to the root of the service */
  addScript(path: string): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    editor: Editor
  }
}

interface GraphiqlOptions {
  readonly default_query?: string
}

const ASSET_BASE = '/graphiql'
/** The files change only with a release of the package. */
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

/**
 * The plugin that serves the query editor GraphiQL to browsers at the GraphQL endpoint. It loads no files from other
 * servers.
 */
export default definePlugin<GraphiqlOptions>(manifest, (scope, options) => {
  const graphql = scope.use('graphql')
  // Relative, so that it works behind a proxy with a path prefix.
  const scripts = ['react.js', 'react-dom.js', 'graphiql.js', 'start.js'].map(
    (name) => `${ASSET_BASE.slice(1)}/${name}`,
  )
  scope.provide('editor', { addScript: (path) => void scripts.push(path) })
  const readAsset = http.packageAssetReader(ASSETS, import.meta.url)
  const hasSubscriptions = scope.use('subscriptions', { optional: true }) !== undefined
  const start = renderStartScript(options.default_query, hasSubscriptions)

  const toEditor: Reply = {
    status: 302,
    headers: { location: graphql.endpoint.slice(1), 'cache-control': 'no-store', vary: 'Accept' },
    body: '',
  }

  graphql.serveHtml(() => text('text/html; charset=utf-8', renderPage(ASSET_BASE.slice(1), scripts), 'no-store'))
  // Redirects the address that the terminal shows.
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

/** Only scripts and connections of this origin, WebSocket included ('self'). The editor has inline styles, and icons in data: URLs. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Renders the page of the query editor.
 * @param assetBase URL of its files, relative to the page, as those of the scripts
 */
function renderPage(assetBase: string, scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>svc · query editor</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${assetBase}/graphiql.css">
    <style>html, body, #editor { height: 100%; margin: 0 }</style>
  </head>
  <body>
    <div id="editor">Loading the query editor …</div>
    <noscript>The query editor needs JavaScript.</noscript>
${scripts.map((path) => `    <script src="${path}"></script>`).join('\n')}
  </body>
</html>
`
}
