import type { Config } from '../../contract/config.ts'
import type { PluginInstance } from '../../kernel/kernel-options.ts'
import { definePlugin } from '../../kernel/plugin.ts'
import { isLoopback, type ServiceDescription } from '../project/describe-service.ts'
import { checkSource } from '../serve/loopback-guard.ts'
import type { Problem } from './problem.ts'

/** State of `svc dev` that the query editor displays: whether the last change of the sources compiled. */
export interface DevState {
  /**
   * Errors of the last compilation. Empty: the service runs with the current sources. Otherwise it runs with the last
   * ones that compiled.
   */
  readonly problems: readonly Problem[]
  /** Number of successful compilations since `svc dev` started. */
  readonly compiled: number
}

/**
 * Function that signs a development token with the given claims and a lifetime in seconds. `null`: the service has no
 * key to sign with.
 */
export type IssueToken = ((claims: Readonly<Record<string, unknown>>, seconds: number) => Promise<string>) | null

/** Values that other plugins provide; the contract does not name them, because it knows no plugin. */
interface Used {
  readonly editor?: { addScript(path: string): void }
  readonly tokens?: { readonly issue: IssueToken }
}

const BASE = '/svc-dev'

/**
 * Creates the plugin with which `svc dev` shows compile errors in the query editor (GraphiQL). `svc dev` adds it only
 * to a service that listens on this machine; a project cannot enable it.
 * @param readState returns the current state, which the editor polls
 * @param onTokens receives, when the plugin is set up, the function that issues development tokens
 */
export function createDevPage(readState: () => DevState, onTokens: (issue: IssueToken) => void): PluginInstance {
  const manifest = {
    name: 'dev-page',
    version: '0.1.0',
    kernelApi: 1,
    description: 'Shows compile errors in the query editor, in `svc dev` only.',
    after: ['graphiql', 'jwt'],
  }
  const plugin = definePlugin(manifest, (scope) => {
    const used = <K extends keyof Used>(key: K) => scope.use(key as never, { optional: true }) as Used[K]
    onTokens(used('tokens')?.issue ?? null)
    used('editor')?.addScript(`${BASE.slice(1)}/problems.js`)
    const answer = (type: string, body: () => string) => ({
      method: 'GET' as const,
      anonymous: true,
      handler({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) {
        // Messages quote sources, which pages of other sites must not read.
        checkSource(headers, 'svc dev')
        return {
          status: 200,
          headers: { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
          body: body(),
        }
      },
    })
    scope.route({ path: `${BASE}/problems`, ...answer('application/json', () => JSON.stringify(readState())) })
    scope.route({ path: `${BASE}/problems.js`, ...answer('text/javascript; charset=utf-8', () => BANNER) })
  })
  return { plugin, options: {}, source: 'svc dev' }
}

/**
 * The script of the banner. It writes text only, never HTML, because messages quote sources. A function, because the
 * scripts of a page share their global names.
 */
const BANNER = `(() => {
const url = new URL('problems', document.currentScript.src)
const banner = document.createElement('div')
banner.id = 'svc-problems'
banner.setAttribute('role', 'alert')
banner.style.cssText = 'position:fixed;left:0;right:0;bottom:0;z-index:1000;max-height:40vh;overflow:auto;display:none;' +
  'padding:.75em 1em;background:#7f1d1d;color:#fff;font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap'
document.body.append(banner)
let loaded = null
let shown = ''
function show(text, color) {
  if (text === shown) return
  shown = text
  banner.textContent = text
  banner.style.background = color
  banner.style.display = text === '' ? 'none' : 'block'
}
const place = ({ file, line, column }) => [file, line, column].filter((part) => part !== null).join(':')
async function look() {
  try {
    const { problems, compiled } = await (await fetch(url, { cache: 'no-store' })).json()
    loaded ??= compiled
    const lines = problems.map((one) => (place(one) === '' ? '' : place(one) + '  ') + one.message)
    if (lines.length > 0) show(lines.join('\\n') + '\\n\\nThe service keeps the last schema that compiled.', '#7f1d1d')
    else show(compiled === loaded ? '' : 'The schema has changed. Reload the page to complete its new names.', '#1e3a8a')
  } catch {
    show('svc dev does not answer.', '#7f1d1d')
  }
  setTimeout(look, 1000)
}
look()
})()
`

/** Lifetime of a development token. */
const SECONDS = 3600
const SUBJECT = 'developer'

/**
 * Returns text for the terminal of `svc dev` that shows how to call a service that requires a credential. Empty when it
 * requires none, or when it also listens for other machines.
 * @param canSign `true`: the service has a key to sign tokens with
 */
export function adviseOnCredentials(
  { security, server }: Config,
  { graphql, address }: ServiceDescription,
  canSign: boolean,
): string {
  if (security.default_policy !== 'authenticated' || !isLoopback(server.host)) return ''
  const call = `curl ${graphql ?? address} -H 'authorization: Bearer TOKEN' -H 'content-type: application/json' -d '{"query":"{ __typename }"}'`
  const how = canSign
    ? 'Press t for a token of one hour, signed with JWT_SECRET.'
    : 'No key signs tokens here: set JWT_SECRET (openssl rand -hex 32), and press t for a token.'
  return `Operations require a credential (security.default_policy). ${how}\n  ${call}\n`
}

/**
 * Issues a development token for the user of `svc dev`, and returns text that shows it, or the reason why there is
 * none. The access rules of the service stay as they are.
 */
export async function describeToken(issue: IssueToken): Promise<string> {
  if (issue === null) {
    return 'No token: the service has no key to sign with (JWT_SECRET, HS256), or it listens on other addresses than this machine.\n'
  }
  const token = await issue({ sub: SUBJECT }, SECONDS)
  return `A token of one hour for the subject "${SUBJECT}", without scopes and roles. In the headers of the editor:\n  ${JSON.stringify({ authorization: `Bearer ${token}` })}\n`
}
