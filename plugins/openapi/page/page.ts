/**
 * Value of the header `Content-Security-Policy` of the OpenAPI page. It allows only files of this server. Swagger UI
 * needs inline styles, and `data:` URLs for icons.
 */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A credential that users can enter on the OpenAPI page. */
export interface Credential {
  readonly label: string
  readonly header: string
  readonly prefix: string
}

/**
 * HTML of the page that displays the OpenAPI document. Its URLs are relative, so that it works behind a proxy with a
 * path prefix.
 */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>svc · API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="openapi/swagger-ui.css">
    <link rel="stylesheet" href="openapi/page.css">
  </head>
  <body>
    <header>
      <strong>API reference</strong>
      <form id="credential" hidden>
        <label for="kind">Ask as</label>
        <select id="kind"></select>
        <input id="secret" type="password" autocomplete="off" spellcheck="false" aria-label="Credential" placeholder="anonymous">
        <button type="submit">Use</button>
      </form>
      <span id="state" role="status"></span>
      <a id="document" download="openapi.json">openapi.json</a>
      <button id="theme" type="button" aria-pressed="false">Dark</button>
    </header>
    <main id="reference">Loading …</main>
    <noscript>The API reference needs JavaScript.</noscript>
    <script src="openapi/swagger-ui.js"></script>
    <script src="openapi/start.js"></script>
  </body>
</html>
`

export const STYLES = `:root { color-scheme: light; --bar: #f4f5f7; --ink: #1f2328; --line: #d0d7de }
html.dark-mode { color-scheme: dark; --bar: #15191c; --ink: #e6edf3; --line: #444c56 }
body { margin: 0; color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; padding: .6rem 1.2rem;
  background: var(--bar); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 5 }
header strong { font-size: 1.05rem }
header form { display: flex; gap: .4rem; align-items: center }
header form[hidden] { display: none }
header input { width: 16rem; max-width: 40vw }
header input, header select, header button { font: inherit; padding: .2rem .5rem; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: 4px }
header select option { color: #1f2328 }
header #state { flex: 1 }
header a { color: inherit }
:focus-visible { outline: 2px solid #4990e2; outline-offset: 2px }
.swagger-ui .info { margin: 24px 0 }
.swagger-ui .scheme-container { display: none }
`

/**
 * Returns the script of the page that displays the OpenAPI document. It is a separate file, because the content
 * security policy forbids inline scripts. It is a function, so that its names are not global in the page.
 * @param documentPath path of the document, relative to the page
 */
export function renderStartScript(documentPath: string, credentials: readonly Credential[]): string {
  return `(() => {
const documentPath = ${JSON.stringify(documentPath.slice(1))}
const credentials = ${JSON.stringify(credentials)}
${START}})()
`
}

const START = `const byId = (id) => document.getElementById(id)
const root = document.documentElement
const dark = matchMedia('(prefers-color-scheme: dark)')
function show(isDark) {
  root.classList.toggle('dark-mode', isDark)
  byId('theme').setAttribute('aria-pressed', String(isDark))
}
show(dark.matches)
dark.addEventListener('change', ({ matches }) => show(matches))
byId('theme').addEventListener('click', () => show(!root.classList.contains('dark-mode')))

// Kept in this page's memory alone. Sent to this host alone.
let header = null
const ui = SwaggerUIBundle({
  spec: {},
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  // The bar above asks for the credential: it is wanted for the document, too.
  plugins: [() => ({ components: { authorizeBtn: () => null, authorizeOperationBtn: () => null } })],
  requestInterceptor(request) {
    if (header !== null && new URL(request.url, location.href).origin === location.origin) {
      request.headers = { ...request.headers, [header.name]: header.value }
    }
    return request
  },
})

/** Forms begin empty: what is an example in the document would be sent with every try. */
function withoutExamples(parameter) {
  const { example, content, ...rest } = parameter
  if (rest.style === 'deepObject') return { ...rest, example: {} }
  return content === undefined ? rest : { ...rest, schema: { type: 'string' } }
}

function forForms(spec) {
  for (const methods of Object.values(spec.paths)) {
    for (const operation of Object.values(methods)) operation.parameters = operation.parameters?.map(withoutExamples)
  }
  // Below the path that this page is below.
  spec.servers = spec.servers?.map((server) => ({ ...server, url: new URL('.' + server.url, location.href).pathname }))
  const shared = spec.components?.parameters ?? {}
  for (const name of Object.keys(shared)) shared[name] = withoutExamples(shared[name])
  return spec
}

async function load() {
  const headers = header === null ? {} : { [header.name]: header.value }
  const answer = await fetch(documentPath, { headers })
  const body = await answer.json()
  if (answer.ok) ui.specActions.updateSpec(JSON.stringify(forForms(body)))
  else byId('state').textContent = answer.status + ': ' + body.error.message
}
const loadOrSay = () => load().catch((error) => { byId('state').textContent = String(error) })
loadOrSay()

byId('document').href = documentPath
const kind = byId('kind')
for (const { label } of credentials) kind.append(new Option(label))
byId('credential').hidden = credentials.length === 0
byId('credential').addEventListener('submit', (event) => {
  event.preventDefault()
  const secret = byId('secret').value.trim()
  const chosen = credentials[kind.selectedIndex]
  header = secret === '' ? null : { name: chosen.header, value: chosen.prefix + secret }
  byId('state').textContent = header === null ? 'Anonymous requests.' : 'Requests with ' + chosen.label + '.'
  loadOrSay()
})
`
