import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the package has no types
import { Provider } from 'oidc-provider'
import type { TestLike } from '../../helpers/services.ts'

/** An OpenID provider on this machine: `oidc-provider`, with a page to log in by a name. */
export interface OpenIdProvider {
  readonly issuer: string
  close(): Promise<void>
}

interface Details {
  readonly prompt: { readonly name: string }
  readonly params: { readonly client_id: string; readonly scope: string }
  readonly session?: { readonly accountId: string }
}

/** @param callbackUrls where it may send people back to */
export async function serveProvider(t: TestLike, callbackUrls: readonly string[]): Promise<OpenIdProvider> {
  let callback: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(request, response)
    else callback(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const common = {
    redirect_uris: callbackUrls,
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
  }
  const provider = new Provider(issuer, {
    clients: [
      { ...common, client_id: 'shop', client_secret: 'a secret of the shop' },
      { ...common, client_id: 'handed', client_secret: 'a secret of the shop' },
    ],
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      RefreshToken: 600,
    },
    async findAccount(_: unknown, id: string) {
      return {
        accountId: id,
        claims: () => ({ sub: id, name: `${id} of the test`, email: `${id}@example.com`, email_verified: true }),
      }
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_: unknown, client: { readonly clientId: string }) =>
          client.clientId === 'handed' ? 'urn:shop-api' : undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          accessTokenFormat: 'jwt',
          audience: 'urn:shop-api',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
  callback = provider.callback()

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const details = (await provider.interactionDetails(request, response)) as Details
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        '<!doctype html><title>Provider</title><form method="post"><input name="user"><button name="do" value="in">Log in</button><button name="do" value="no">Cancel</button></form>',
      )
      return
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    if (form.get('do') === 'no') {
      await provider.interactionFinished(request, response, { error: 'access_denied', error_description: '<b>no</b>' })
      return
    }
    const accountId = details.session?.accountId ?? String(form.get('user'))
    const grant = new provider.Grant({ accountId, clientId: details.params.client_id })
    grant.addOIDCScope(details.params.scope)
    const grantId = await grant.save()
    await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } })
  }

  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  t.teardown(close)
  return { issuer, close }
}

/** What a browser does at the provider: follows its redirects, with its cookies, and logs in. @returns where it is sent back to */
export async function logIn(url: string, user: string | null): Promise<URL> {
  const jar = new Map<string, string>()
  let at = url
  const { origin } = new URL(url)
  for (let step = 0; step < 8; step++) {
    if (!at.startsWith(origin)) return new URL(at)
    const isForm = at.includes('/interaction/')
    const answer = await fetch(at, {
      redirect: 'manual',
      method: isForm ? 'POST' : 'GET',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isForm ? { body: new URLSearchParams(user === null ? { do: 'no' } : { do: 'in', user }) } : {}),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`)
    at = new URL(location, at).href
  }
  throw new Error('The provider redirects without an end.')
}
