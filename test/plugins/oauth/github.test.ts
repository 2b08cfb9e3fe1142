import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createProviderClient } from '../../../plugins/oauth/provider-client.ts'
import { failure } from '../../helpers/kernel.ts'
import type { TestLike } from '../../helpers/services.ts'

const LOGIN = { state: 'the-state', nonce: 'the-nonce', verifier: 'v'.repeat(43) }
const USER = { id: 7, login: 'ann', name: 'Ann', email: null, avatar_url: 'https://pictures.example/7' }
const EMAILS = [
  { email: 'old@example.com', primary: false, verified: true },
  { email: 'ann@example.com', primary: true, verified: true },
]

/** GitHub as a company runs it: login and interface stand below one address. */
async function openGithub(t: TestLike, user: { readonly status: number; readonly body: unknown }) {
  const heard: { readonly request: string; readonly authorization: string | undefined; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    heard.push({ request: `${request.method} ${request.url}`, authorization: request.headers.authorization, body })
    const answers: Record<string, { readonly status: number; readonly body: unknown }> = {
      '/login/oauth/access_token': {
        status: 200,
        body: { access_token: 'gh-token', token_type: 'bearer', scope: 'user' },
      },
      '/api/v3/user': user,
      '/api/v3/user/emails': { status: 200, body: EMAILS },
    }
    const answer = answers[request.url!] ?? { status: 404, body: {} }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = {
    name: 'github',
    clientId: 'the-client',
    clientSecret: 'the-secret',
    issuer: null,
    server: address,
    scope: 'read:user user:email',
    audience: null,
  }
  const open = (wantsProfile: boolean) =>
    createProviderClient(settings, { callbackUrl: 'http://svc.example/auth/callback', method: 'S256', wantsProfile })
  return { address, heard, open }
}

t.test('a login at GitHub', async (t) => {
  const { address, heard, open } = await openGithub(t, { status: 200, body: USER })
  const github = open(true)
  const url = new URL(await github.authorizationUrl(LOGIN))
  t.equal(`${url.origin}${url.pathname}`, `${address}/login/oauth/authorize`)
  t.strictSame(Object.fromEntries(url.searchParams), {
    client_id: 'the-client',
    response_type: 'code',
    redirect_uri: 'http://svc.example/auth/callback',
    scope: 'read:user user:email',
    state: LOGIN.state,
    code_challenge: createHash('sha256').update(LOGIN.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  t.strictSame(heard, [], 'there is nothing to discover')

  const granted = await github.exchange(new URLSearchParams({ code: 'the-code', state: LOGIN.state }), LOGIN)
  t.strictSame(
    { ...granted, profile: null },
    { accessToken: 'gh-token', refreshToken: null, idToken: null, expiresIn: null, profile: null },
  )
  t.equal(granted.profile?.subject, '7')
  t.equal(granted.profile?.email, 'ann@example.com')
  t.strictSame(
    heard.map(({ request, authorization }) => [request, authorization]),
    [
      ['POST /login/oauth/access_token', undefined],
      ['GET /api/v3/user', 'Bearer gh-token'],
      ['GET /api/v3/user/emails', 'Bearer gh-token'],
    ],
  )
  t.strictSame(Object.fromEntries(new URLSearchParams(heard[0]!.body)), {
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: 'http://svc.example/auth/callback',
    code_verifier: LOGIN.verifier,
    client_id: 'the-client',
    client_secret: 'the-secret',
  })
})

t.test('the profile is requested only if it is needed', async (t) => {
  const { heard, open } = await openGithub(t, { status: 200, body: USER })
  const granted = await open(false).exchange(new URLSearchParams({ code: 'c', state: LOGIN.state }), LOGIN)
  t.strictSame([granted.accessToken, granted.profile], ['gh-token', null])
  t.equal(heard.length, 1)
})

t.test('a GitHub that does not say who it is gives no login', async (t) => {
  for (const user of [
    { status: 401, body: { message: 'Bad credentials' } },
    { status: 200, body: { ...USER, id: null } },
    { status: 200, body: null },
  ]) {
    const { open } = await openGithub(t, user)
    const error = await failure(() =>
      open(true).exchange(new URLSearchParams({ code: 'c', state: LOGIN.state }), LOGIN),
    )
    t.strictSame([error.code, error.message], ['OAUTH_EXCHANGE_FAILED', 'The login at github failed. Try again later.'])
  }
})
