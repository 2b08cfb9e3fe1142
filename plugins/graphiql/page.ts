/** Only our own files may run or be asked, over WebSocket too, which 'self' means as well; the editor sets inline styles and draws its icons from data: URLs. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The page of the query editor.
 * @param assetBase where its files are, beside the page
 */
export function renderPage(assetBase: string): string {
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
    <script src="${assetBase}/react.js"></script>
    <script src="${assetBase}/react-dom.js"></script>
    <script src="${assetBase}/graphiql.js"></script>
    <script src="${assetBase}/start.js"></script>
  </body>
</html>
`
}

/** Starts the editor on the endpoint, which has the address of the page. Its own file, because the policy forbids inline scripts. */
export function renderStartScript(defaultQuery: string, hasSubscriptions: boolean): string {
  // The editor's own client of graphql-transport-ws; what stands in its headers goes into connection_init.
  const subscriptions = hasSubscriptions ? `, subscriptionUrl: location.origin.replace('http', 'ws') + url` : ''
  return `const url = location.pathname
const fetcher = GraphiQL.createFetcher({ url${subscriptions} })
ReactDOM.createRoot(document.getElementById('editor')).render(
  React.createElement(GraphiQL, { fetcher, defaultEditorToolsVisibility: true, defaultQuery: ${JSON.stringify(defaultQuery)} }),
)
`
}
