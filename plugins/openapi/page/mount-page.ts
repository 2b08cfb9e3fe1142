import { packageAssetReader, type Reply, type Scope } from '../../../core/index.ts'
import { ASSETS } from './assets.ts'
import { CONTENT_SECURITY_POLICY, type Credential, PAGE, renderStartScript, STYLES } from './page.ts'

export const PAGE_PATH = '/openapi'
/** The files change with the package only. */
const CACHE_ONE_DAY = 'public, max-age=86400'

type Schemes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The page that shows the document. It reveals nothing by itself: what it shows it fetches as whoever looks at it. */
export function mountPage(scope: Scope, documentPath: string, schemes: Schemes): void {
  const readAsset = packageAssetReader(ASSETS, new URL('../index.ts', import.meta.url).href)
  const mount = (path: string, type: string, cacheControl: string, body: () => string | Promise<Uint8Array>): void =>
    scope.route({
      method: 'GET',
      path,
      anonymous: true,
      handler: async () => file(type, await body(), cacheControl),
    })
  const start = renderStartScript(documentPath, credentialsOf(schemes))
  mount(PAGE_PATH, 'text/html; charset=utf-8', 'no-cache', () => PAGE)
  mount(`${PAGE_PATH}/start.js`, 'text/javascript; charset=utf-8', 'no-cache', () => start)
  mount(`${PAGE_PATH}/page.css`, 'text/css; charset=utf-8', 'no-cache', () => STYLES)
  for (const [name, { type }] of Object.entries(ASSETS)) {
    mount(`${PAGE_PATH}/${name}`, type, CACHE_ONE_DAY, () => readAsset(name))
  }
}

/** Those that somebody types; a cookie the browser sends by itself. */
function credentialsOf(schemes: Schemes): readonly Credential[] {
  return Object.values(schemes).flatMap(({ type, in: place, name }): readonly Credential[] => {
    if (type === 'http') return [{ label: 'Token', header: 'Authorization', prefix: 'Bearer ' }]
    return place === 'header' ? [{ label: String(name), header: String(name), prefix: '' }] : []
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
