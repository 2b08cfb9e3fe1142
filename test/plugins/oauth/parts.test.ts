import t from 'tap'
import type { HttpExchange } from '../../../core/doors/plugin.ts'
import type { Tokens } from '../../../plugins/jwt/api.ts'
import { clearCookie, LONGEST_COOKIE, readCookie, setCookie } from '../../../plugins/oauth/cookies.ts'
import { createTokenMaker } from '../../../plugins/oauth/make-tokens.ts'
import type { OAuthFault } from '../../../plugins/oauth/oauth-fault.ts'
import type { OAuthOptions } from '../../../plugins/oauth/options.ts'
import { githubProfile, openIdProfile } from '../../../plugins/oauth/profile.ts'
import { readProviders } from '../../../plugins/oauth/providers.ts'
import { allow, one, readInput } from '../../../plugins/oauth/read-input.ts'
import { failure } from '../../helpers/kernel.ts'

t.test('a cookie is read only if it is there once, and not empty', async (t) => {
  for (const [cookie, value] of [
    [undefined, null],
    ['', null],
    ['a=1', '1'],
    ['b=2; a=1; c=3', '1'],
    [' a=1 ;b=2', '1'],
    ['a=x=y', 'x=y'],
    ['a=', null],
    ['a', null],
    ['aa=1', null],
    ['A=1', null],
    ['a=1; a=2', null],
    ['a=1; a=1', null],
    ['a=; a=1', null],
    [['a=1'], null],
  ] as const) {
    t.equal(readCookie({ headers: { cookie } } as never, 'a'), value, String(cookie))
  }
})

t.test('a cookie of svc: no script reads it, and browsers keep it', async (t) => {
  const rest = (site: string, age: number) => `Path=/; HttpOnly; Secure; SameSite=${site}; Max-Age=${age}`
  t.equal(setCookie('a', 'x', 60.9), `a=x; ${rest('Strict', 60)}`)
  t.equal(setCookie('a', 'x', -1, 'Lax'), `a=x; ${rest('Lax', 0)}`)
  t.equal(clearCookie('a'), `a=; ${rest('Strict', 0)}`)
  const most = LONGEST_COOKIE - clearCookie('a').length
  t.equal(LONGEST_COOKIE, 4096)
  t.equal(setCookie('a', 'x'.repeat(most), 0).length, 4096)
  for (const value of ['x'.repeat(most + 1), 'ü'.repeat(most / 2 + 1)]) {
    const error = await failure(async () => setCookie('a', value, 0))
    t.match(
      error.message,
      /^The login failed: its token makes the cookie a 409[78] bytes long, and browsers keep 4096\./,
    )
  }
})

t.test('the input of a request: its query string, a form or JSON', async (t) => {
  const read = async (body: string | null, type?: string): Promise<unknown> => {
    const input = await readInput({
      method: body === null ? 'GET' : 'POST',
      queryString: 'a=query',
      headers: type === undefined ? {} : { 'content-type': type },
      readBody: async () => Buffer.from(body ?? ''),
    } as unknown as HttpExchange)
    return Object.fromEntries(input)
  }
  const form = 'application/x-www-form-urlencoded'
  const json = 'application/json'
  for (const [body, type, input] of [
    [null, undefined, { a: 'query' }],
    ['', undefined, {}],
    ['a=1&b=%20', form, { a: '1', b: ' ' }],
    ['a=1', `${form.toUpperCase()} ; charset=utf-8`, { a: '1' }],
    ['{"a":"1","b":null}', json, { a: '1' }],
    ['{"a":"1"}', `${json}; charset=utf-8`, { a: '1' }],
  ] as const) {
    t.strictSame(await read(body, type), input, `${body} ${type}`)
  }
  for (const [body, type, code, message] of [
    ['a=1', undefined, 'UNSUPPORTED_MEDIA_TYPE', 'The body has to be application/json, or a form.'],
    ['a=1', 'text/plain', 'UNSUPPORTED_MEDIA_TYPE', 'The body has to be application/json, or a form.'],
    ['{"a":"1"}', 'text/json', 'UNSUPPORTED_MEDIA_TYPE', 'The body has to be application/json, or a form.'],
    ['{', json, 'BAD_USER_INPUT', 'The body is no JSON.'],
    ['[]', json, 'BAD_USER_INPUT', 'The body has to be a JSON object.'],
    ['null', json, 'BAD_USER_INPUT', 'The body has to be a JSON object.'],
    ['"a"', json, 'BAD_USER_INPUT', 'The body has to be a JSON object.'],
    ['{"a":1}', json, 'BAD_USER_INPUT', 'Every value of the body has to be a text.'],
  ] as const) {
    const error = await failure(() => read(body, type))
    t.strictSame([error.code, error.message], [code, message], `${body} ${type}`)
    if (type === json) t.equal((error as OAuthFault).error, 'invalid_request')
  }
  const most = 16_384 - 1
  t.strictSame(await read(`a=${'x'.repeat(most)}`, form), { a: 'x'.repeat(most) })
  for (const [body, type] of [
    [`a=${'x'.repeat(most + 1)}`, form],
    [`{"a":"${'x'.repeat(most + 1)}"}`, json],
    [`${'x'.repeat(most + 1)}=a`, form],
  ] as const) {
    const error = await failure(() => read(body, type))
    t.strictSame([error.code, error.message], ['BAD_USER_INPUT', 'A value is too long.'])
    t.equal((error as OAuthFault).error, 'invalid_request')
  }
})

t.test('one value of each key, and no other keys', async (t) => {
  const input = new URLSearchParams('a=1&b=2&b=3&c=')
  t.strictSame([one(input, 'a'), one(input, 'c'), one(input, 'd')], ['1', null, null])
  const twice = await failure(async () => one(input, 'b'))
  t.strictSame([twice.code, twice.message], ['BAD_USER_INPUT', '"b" stands there more than once.'])
  t.equal((twice as OAuthFault).error, 'invalid_request')
  allow(input, ['a', 'b', 'c', 'd'])
  t.match(await failure(async () => allow(input, ['a', 'b'])), {
    code: 'BAD_USER_INPUT',
    error: 'invalid_request',
    message: /Known parameters: "a", "b"\.$/,
  })
})

t.test('profiles: what is no text is left out, and only a clear word verifies an address', async (t) => {
  for (const [said, profile] of [
    [{}, { email: null, email_verified: false, name: null, picture: null }],
    [
      { email: 'a@b', email_verified: true, name: 'Ann', picture: 'p' },
      { email: 'a@b', email_verified: true, name: 'Ann', picture: 'p' },
    ],
    [
      { email: 'a@b', email_verified: 'true', preferred_username: 'ann' },
      { email: 'a@b', email_verified: true, name: 'ann', picture: null },
    ],
    [
      { email: '', email_verified: 1, name: '', preferred_username: 'ann', picture: {} },
      { email: null, email_verified: false, name: 'ann', picture: null },
    ],
    [
      { email: ['a@b'], email_verified: 'false', name: 7 },
      { email: null, email_verified: false, name: null, picture: null },
    ],
  ] as const) {
    t.strictSame(openIdProfile('p', 's', said), { provider: 'p', subject: 's', raw: said, ...profile })
  }
  const user = { id: 7, login: 'ann', email: 'public@b', avatar_url: 'p' }
  for (const [said, emails, profile] of [
    [user, null, { email: 'public@b', email_verified: false, name: 'ann' }],
    [user, [], { email: 'public@b', email_verified: false, name: 'ann' }],
    [user, [null, { email: 'x@b', verified: true }], { email: 'public@b', email_verified: false, name: 'ann' }],
    [
      { ...user, name: 'Ann' },
      [
        { email: 'x@b', primary: false, verified: false },
        { email: 'main@b', primary: true, verified: true },
      ],
      { email: 'main@b', email_verified: true, name: 'Ann' },
    ],
    [
      user,
      [{ email: 'main@b', primary: true, verified: 'true' }],
      { email: 'main@b', email_verified: false, name: 'ann' },
    ],
    [user, { primary: true, verified: true }, { email: 'public@b', email_verified: false, name: 'ann' }],
  ] as const) {
    t.strictSame(githubProfile('github', said, emails), {
      provider: 'github',
      subject: '7',
      picture: 'p',
      raw: said,
      ...profile,
    })
  }
  for (const id of [undefined, '7', 7.5, null]) t.equal(githubProfile('github', { ...user, id }, []), null, String(id))
})

t.test('claims that svc writes itself cannot be taken from the user', async (t) => {
  const tokens = { isConfigured: true, issue: async () => 'token' } as unknown as Tokens
  const make = (claims: readonly string[]) =>
    createTokenMaker({ claims, access_ttl_secs: 60 } as unknown as OAuthOptions, tokens, async () => ({ id: 'ann' }))
  for (const claim of ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']) {
    const error = await failure(async () => make(['roles', claim]))
    t.equal(error.code, 'SVC_CONFIG_INVALID')
    t.match(error.message, `claims has "${claim}", which svc writes itself`)
  }
  t.equal(make(['roles', 'tenant', 'subject', 'ISS']).own, true)
})

t.test('providers by the environment and the section', async (t) => {
  const read = (options: object, env: Record<string, string>) =>
    readProviders(options as unknown as OAuthOptions, env).map(({ name, clientId, issuer, server }) => [
      name,
      clientId,
      issuer ?? server,
    ])
  const issuer_url = 'https://login.example.com'
  t.strictSame(read({ issuer_url, client_id: 'c' }, {}), [['oidc', 'c', issuer_url]])
  t.strictSame(read({ issuer_url }, { OIDC_CLIENT_ID: 'c' }), [['oidc', 'c', issuer_url]])
  t.strictSame(read({}, { GITHUB_CLIENT_ID: 'g' }), [['github', 'g', 'https://github.com']])
  t.strictSame(read({}, { GITHUB_CLIENT_ID: 'g', GITHUB_SERVER_URL: 'https://git.example' }), [
    ['github', 'g', 'https://git.example'],
  ])
  for (const [options, env, message] of [
    [{}, {}, 'no provider has credentials'],
    [{ issuer_url }, {}, 'issuer_url is set, and client_id (OIDC_CLIENT_ID) is not'],
    [{ issuer_url }, { GITHUB_CLIENT_ID: 'g' }, 'issuer_url is set, and client_id (OIDC_CLIENT_ID) is not'],
    [{ client_id: 'c' }, {}, 'OIDC_CLIENT_ID is set, and OIDC_ISSUER (issuer_url) is not'],
  ] as const) {
    t.match((await failure(async () => read(options, env))).message, message)
  }
})
