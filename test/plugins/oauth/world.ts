import { randomBytes } from 'node:crypto'
import { definePlugin } from '../../../core/doors/plugin.ts'
import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import oauth from '../../../plugins/oauth/index.ts'
import stateEncryption from '../../../plugins/state-encryption/index.ts'
import type { BareAppOptions } from '../../helpers/bare-app.ts'
import type { TestLike } from '../../helpers/services.ts'
import { openWho, plugin, SECRET, type WhoApp } from '../jwt/who.ts'
import { logIn } from './provider.ts'

export const CALLBACK = 'http://localhost:7777/auth/callback'
export const APP_PAGE = 'http://localhost:5173/welcome'
const KEY = 'SVC_TEST_OAUTH_KEY'

/** Users: who is banned is nobody, and an error is an error. */
export const USERS = `
CREATE TABLE users (id serial PRIMARY KEY, provider text, subject text, email text, roles text[] DEFAULT '{customer}', logins int DEFAULT 1, UNIQUE (provider, subject));
CREATE FUNCTION fn_upsert_oauth_user(profile jsonb) RETURNS users LANGUAGE plpgsql AS $$
DECLARE found users;
BEGIN
  IF profile->>'subject' = 'banned' THEN RETURN NULL; END IF;
  IF profile->>'subject' = 'broken' THEN RAISE EXCEPTION 'secret table gone'; END IF;
  INSERT INTO users (provider, subject, email) VALUES (profile->>'provider', profile->>'subject', profile->>'email')
    ON CONFLICT (provider, subject) DO UPDATE SET logins = users.logins + 1 RETURNING * INTO found;
  IF found.email IS NULL THEN RETURN NULL; END IF;
  RETURN found;
END $$;`

/** Says who asks, to a write. */
const writes = definePlugin(
  { name: 'writes', version: '1.0.0', kernelApi: 1, description: 'Says who writes.' },
  (scope) => {
    const handler = ({ auth }: { auth: unknown }) => ({ status: 200, headers: {}, body: JSON.stringify(auth) })
    scope.route({ method: 'POST', path: '/write', handler })
  },
)

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Record<string, string>
  readonly cookies: readonly string[]
}

export interface Shop extends WhoApp {
  ask2(method: string, url: string, headers?: Record<string, string>, body?: unknown): Promise<Answer>
  /** Begins a login. */
  start(query?: string): Promise<{ readonly url: string; readonly state: string; readonly cookie: string }>
  /** The whole way. @returns what the callback answers */
  login(user: string, query?: string): Promise<Answer>
}

/** svc with the plugins, and who logs in at it. */
export async function openShop(
  t: TestLike,
  issuer: string,
  {
    options = {},
    jwt = {},
    more = [],
    rest = {},
  }: { options?: object; jwt?: object; more?: readonly PluginInstance[]; rest?: BareAppOptions } = {},
): Promise<Shop> {
  process.env[KEY] ??= randomBytes(32).toString('hex')
  process.env.OIDC_CLIENT_SECRET = 'a secret of the shop'
  t.teardown(() => {
    for (const name of [KEY, 'OIDC_CLIENT_SECRET']) Reflect.deleteProperty(process.env, name)
  })
  const pkce = {
    enabled: true,
    callback_url: CALLBACK,
    redirect_uris: [APP_PAGE, 'http://localhost:5173/other?x=1'],
    issuer_url: issuer,
    client_id: 'shop',
    user_function: 'fn_upsert_oauth_user',
    ...options,
  }
  const app = await openWho(
    t,
    { jwt_secret: SECRET, jwt_issuer: 'https://shop.example', jwt_audience: 'shop', ...jwt },
    [plugin(stateEncryption, { enabled: true, key_env: KEY }), ...more, plugin(oauth, pkce), plugin(writes)],
    rest,
  )
  async function ask2(
    method: string,
    url: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<Answer> {
    const reply = await app.inject({ method, url, headers, ...(body === undefined ? {} : { body }) })
    const set = reply.headers['set-cookie'] ?? []
    const type = String(reply.headers['content-type'] ?? '')
    return {
      status: reply.status,
      headers: reply.headers,
      body: type.includes('json') || url === '/write' ? (reply.json() ?? {}) : {},
      cookies: typeof set === 'string' ? [set] : set,
    }
  }
  async function start(query = ''): Promise<{ url: string; state: string; cookie: string }> {
    const { headers, cookies } = await ask2('GET', `/auth/start${query}`)
    const url = String(headers.location)
    return { url, state: new URL(url).searchParams.get('state') ?? '', cookie: cookies[0]?.split(';')[0] ?? '' }
  }
  return {
    ...app,
    ask2,
    start,
    async login(user, query = '') {
      const { url, cookie } = await start(query)
      const back = await logIn(url, user)
      return ask2('GET', `/auth/callback${back.search}`, { cookie })
    },
  }
}

/** The pair of a cookie that was set, without its attributes. */
export function pairOf(cookies: readonly string[], name: string): string {
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.split(';')[0] ?? ''
}
