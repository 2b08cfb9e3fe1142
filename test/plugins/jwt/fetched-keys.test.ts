import type { ServerResponse } from 'node:http'
import { mock } from 'node:test'
import t from 'tap'
import { testPlugin } from '../../../core/testing/testing.ts'
import jwt from '../../../plugins/jwt/index.ts'
import { claims, jwkOf, openWho, RSA, rs256, serveKeys } from './who.ts'

const token = (iss: string): string => rs256(claims({ iss, aud: 'api' }), RSA.privateKey, 'k')

t.test('keys that are fetched are fetched again when they are old, even if no new token arrives', async (t) => {
  mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const keys = await serveKeys(t, { keys: [jwkOf(RSA.publicKey, 'k')] })
  const tested = await testPlugin(jwt, { options: { jwks_uri: `${keys.url}/keys`, jwt_audience: 'api' } })
  const settled = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return keys.asked
  }
  const headers = { authorization: `Bearer ${token('x')}` }
  await tested.hooks.authenticate?.(tested.exchange({ headers }))
  t.equal(await settled(), 1, 'the first token fetches the keys')
  mock.timers.tick(540_000)
  t.equal(await settled(), 1, 'nine minutes later they are still fresh')
  mock.timers.tick(60_000)
  t.equal(await settled(), 2, 'ten minutes later they are stale')
  await tested.close()
  mock.timers.tick(1_200_000)
  t.equal(await settled(), 2, 'a closed service fetches no keys')
})

t.test('the log names the keys that could not be fetched, and the reason', async (t) => {
  const keys = await serveKeys(t, null)
  const away = (_request: unknown, response: ServerResponse): void => void response.writeHead(500).end()
  const place = `${keys.url}/.well-known/openid-configuration`
  for (const [options, answer, message] of [
    [
      { jwks_uri: `${keys.url}/keys` },
      away,
      `The keys of ${keys.url}/keys could not be fetched: ${keys.url}/keys answered 500`,
    ],
    [{ jwt_issuer: keys.url }, away, `The keys of ${keys.url} could not be fetched: ${place} answered 500`],
    [
      { jwt_issuer: keys.url },
      { issuer: 'https://evil' },
      `The keys of ${keys.url} could not be fetched: ${place} is the configuration of another issuer`,
    ],
    [
      { jwt_issuer: keys.url },
      { issuer: keys.url },
      `The keys of ${keys.url} could not be fetched: ${place} does not say where the keys are`,
    ],
    [
      { jwt_issuer: keys.url },
      { issuer: keys.url, jwks_uri: 'http://evil.example/keys' },
      `The keys of ${keys.url} could not be fetched: The jwks_uri of ${place} is not an https address. The keys from this address decide which tokens are accepted, so http is allowed only on this machine, outside production.`,
    ],
  ] as const) {
    keys.answer = answer
    const app = await openWho(t, { jwt_audience: 'api', ...options })
    t.equal((await app.ask(token(keys.url))).status, 503)
    t.strictSame(
      app.signals.flatMap((signal) => (signal.type === 'warning' ? [signal.message] : [])),
      [message],
    )
  }
})
