import { http, type OwnedCredential } from '../../../core/doors/front.ts'
import type { Reply, Scope } from '../../../core/doors/plugin.ts'
import { ASSETS } from './assets.ts'
import { CONTENT_SECURITY_POLICY, type Credential, PAGE, renderStartScript, STYLES } from './page.ts'

export const PAGE_PATH = '/openapi'
/** The files only change with the package. */
const CACHE_ONE_DAY = 'public, max-age=86400'

/**
 * Adds the routes of the page that displays the OpenAPI document with Swagger UI. The page itself contains no data: it
 * fetches the document with the credential that the user enters.
 * @param documentPath path of the route with the document
 */
export function mountPage(scope: Scope, documentPath: string): void {
  const readAsset = http.packageAssetReader(ASSETS, new URL('../index.ts', import.meta.url).href)
  const mount = (path: string, type: string, cacheControl: string, body: () => string | Promise<Uint8Array>): void =>
    scope.route({
      method: 'GET',
      path,
      anonymous: true,
      handler: async () => file(type, await body(), cacheControl),
    })
  let start: string | null = null
  mount(PAGE_PATH, 'text/html; charset=utf-8', 'no-cache', () => PAGE)
  mount(`${PAGE_PATH}/start.js`, 'text/javascript; charset=utf-8', 'no-cache', () => {
    // Created at the first request, when all plugins have registered their credentials.
    start ??= renderStartScript(documentPath, credentialsOf(scope.process.credentials))
    return start
  })
  mount(`${PAGE_PATH}/page.css`, 'text/css; charset=utf-8', 'no-cache', () => STYLES)
  for (const [name, { type }] of Object.entries(ASSETS)) {
    mount(`${PAGE_PATH}/${name}`, type, CACHE_ONE_DAY, () => readAsset(name))
  }
}

/** Returns the credentials that users type in. Browsers send cookies by themselves. */
function credentialsOf(credentials: readonly OwnedCredential[]): readonly Credential[] {
  return credentials.flatMap(({ in: place, name, scheme }): readonly Credential[] => {
    if (place === 'cookie') return []
    if (scheme === 'key') return [{ label: name, header: name, prefix: '' }]
    return [
      scheme === 'bearer'
        ? { label: 'Token', header: name, prefix: 'Bearer ' }
        : { label: 'Basic', header: name, prefix: 'Basic ' },
    ]
  })
}

function file(type: string, body: string | Uint8Array, cacheControl: string): Reply {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': cacheControl,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body,
  }
}
