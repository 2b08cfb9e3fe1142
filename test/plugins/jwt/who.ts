import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Auth } from '../../../core/contract/exchange.ts'
import { definePlugin, type Plugin } from '../../../core/doors/plugin.ts'
import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import jwt from '../../../plugins/jwt/index.ts'
import { type BareApp, type BareAppOptions, createBareApp } from '../../helpers/bare-app.ts'
import { entry } from '../../helpers/kernel.ts'
import type { TestLike } from '../../helpers/services.ts'

export const SECRET = 'a secret of thirty-two bytes at least'
export const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()

export const b64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
export const nowSecs = (): number => Math.floor(Date.now() / 1000)
export const claims = (more: object = {}): Record<string, unknown> => ({ sub: 'ann', exp: nowSecs() + 600, ...more })

/** Signs anything at all, by hand: what a library would refuse to make has to be refused here. */
export function forge(header: object, payload: unknown, signer: (input: string) => Buffer | string): string {
  const input = `${b64(header)}.${b64(payload)}`
  const signature = signer(input)
  return `${input}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`
}
export const hmac =
  (secret: string | Buffer, hash = 'sha256') =>
  (input: string) =>
    createHmac(hash, secret).update(input).digest()
export const rsa =
  (key: KeyObject, hash = 'sha256') =>
  (input: string) =>
    sign(hash, Buffer.from(input), key)
export const ecdsa = (key: KeyObject) => (input: string) =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })

export const hs256 = (payload: unknown = claims(), secret: string | Buffer = SECRET): string =>
  forge({ alg: 'HS256', typ: 'JWT' }, payload, hmac(secret))
export const rs256 = (payload: unknown = claims(), key = RSA.privateKey, kid?: string): string =>
  forge({ alg: 'RS256', ...(kid === undefined ? {} : { kid }) }, payload, rsa(key))
export const es256 = (payload: unknown = claims(), key = EC.privateKey, kid?: string): string =>
  forge({ alg: 'ES256', ...(kid === undefined ? {} : { kid }) }, payload, ecdsa(key))

/** Answers who asks. */
const who = definePlugin({ name: 'who', version: '1.0.0', kernelApi: 1, description: 'Says who asks.' }, (scope) => {
  scope.route({
    method: 'GET',
    path: '/who',
    handler: ({ auth }) => ({ status: 200, headers: {}, body: JSON.stringify(auth) }),
  })
})

export interface WhoAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly auth: Auth | null
  readonly error?: { readonly code: string; readonly message: string }
}

export interface WhoApp extends BareApp {
  /** `GET /who` with this token, or these headers. */
  ask(credential?: string | Readonly<Record<string, string | readonly string[]>>): Promise<WhoAnswer>
}

export const plugin = (value: unknown, options: unknown = {}): PluginInstance => entry(value as Plugin<never>, options)

/** A service that knows who asks, without a database. */
export async function openWho(
  t: TestLike,
  options: object | null,
  more: readonly PluginInstance[] = [],
  rest: BareAppOptions = {},
): Promise<WhoApp> {
  const plugins = [...(options === null ? [] : [plugin(jwt, options)]), plugin(who), ...more]
  const app = await createBareApp(t, { ...rest, plugins })
  return { ...app, ask: (credential) => ask(app, credential) }
}

export async function ask(
  app: Pick<BareApp, 'inject'>,
  credential: Parameters<WhoApp['ask']>[0] = {},
): Promise<WhoAnswer> {
  const headers = typeof credential === 'string' ? { authorization: `Bearer ${credential}` } : credential
  const reply = await app.inject({ method: 'GET', url: '/who', headers: headers as Record<string, string> })
  const body = reply.json<Auth & { readonly error?: WhoAnswer['error'] }>()
  if (reply.status === 200) return { status: 200, headers: reply.headers, auth: body }
  return { status: reply.status, headers: reply.headers, auth: null, ...(body.error && { error: body.error }) }
}

/** An issuer's keys over HTTP, which the test changes. */
export interface KeyServer {
  readonly url: string
  /** What it answers, as JSON; a function decides by itself. */
  answer: unknown
  asked: number
  close(): Promise<void>
}

export async function serveKeys(t: TestLike, answer: unknown): Promise<KeyServer> {
  const server = createServer((request, response) => {
    keys.asked++
    const given = typeof keys.answer === 'function' ? keys.answer(request, response) : keys.answer
    if (given !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(given))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const keys: KeyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer,
    asked: 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  t.teardown(() => keys.close())
  return keys
}

export const jwkOf = (key: KeyObject, kid: string, more: object = {}): object => ({
  ...key.export({ format: 'jwk' }),
  kid,
  ...more,
})
