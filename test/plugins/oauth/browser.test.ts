import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import { createPglite } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { skip } from '../../helpers/services.ts'
import { plugin } from '../jwt/who.ts'
import { serveProvider } from './provider.ts'
import { openShop, USERS } from './world.ts'

/** The login of a web app, in a real browser: it alone knows what `__Host-`, `SameSite` and `Sec-Fetch-Site` mean. */
t.setTimeout(180_000)

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const WAIT = { timeout: 60_000 }

const page = definePlugin(
  { name: 'page', version: '1.0.0', kernelApi: 1, description: 'A page of the app.' },
  (scope) => {
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    scope.route({
      method: 'GET',
      path: '/app',
      anonymous: true,
      handler: () => ({
        status: 200,
        headers,
        body: '<!doctype html><title>App</title><link rel="icon" href="data:,">',
      }),
    })
  },
)

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

t.test('log in, write, refresh, log out; and a page of another site', async (t) => {
  const executablePath = BROWSERS.find((path) => existsSync(path))
  if (executablePath === undefined) {
    skip(t, 'browser', `no browser at ${BROWSERS.join(', ')}`)
    return
  }
  const port = await freePort()
  const at = `http://localhost:${port}`
  const callback = `${at}/auth/callback`
  const { issuer } = await serveProvider(t, [callback])
  const database = await openTestDatabase(t, { kind: 'pglite', url: await createPglite(t, { sql: USERS }) } as never)
  const app = await openShop(t, issuer, {
    options: { callback_url: callback, redirect_uris: [`${at}/app`] },
    more: [plugin(page)],
    rest: { database, server: { host: 'localhost', port } },
  })
  await app.listen()

  const evil = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Evil</title><link rel="icon" href="data:,">')
  })
  await new Promise<void>((resolve) => evil.listen(0, 'localhost', resolve))
  t.teardown(() => evil.close())
  const evilAt = `http://localhost:${(evil.address() as AddressInfo).port}`

  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage']
  const browser = await chromium.launch({ executablePath, args, ...WAIT })
  t.teardown(() => browser.close())
  const tab = await browser.newPage()
  tab.setDefaultTimeout(WAIT.timeout)
  /** As a script of the page asks. */
  const ask = (method: string, url: string, body: string | null = null) =>
    tab.evaluate(
      async ([method, url, body]) => {
        const answer = await fetch(url as string, {
          method: method as string,
          credentials: 'include',
          ...(body === null ? {} : { body, headers: { 'content-type': 'text/plain' } }),
        }).catch(() => null)
        return answer === null ? null : { status: answer.status, text: await answer.text() }
      },
      [method, url, body] as const,
    )

  await tab.goto(`${at}/auth/start?redirect_uri=${encodeURIComponent(`${at}/app`)}`, WAIT)
  t.match(tab.url(), issuer, 'at the provider')
  await tab.locator('input[name=user]').fill('ann')
  await tab.getByRole('button', { name: 'Log in' }).click()
  await tab.waitForURL(`${at}/app`)
  const cookies = await tab.context().cookies(at)
  for (const name of ['__Host-access_token', '__Host-refresh_token']) {
    t.match(
      cookies.find((cookie) => cookie.name === name),
      { httpOnly: true, secure: true, sameSite: 'Strict', path: /^\/$/ },
      name,
    )
  }
  t.equal(await tab.evaluate('document.cookie'), '', 'no script sees any')
  t.match((await ask('GET', '/who'))?.text, /"method":"jwt"/)
  t.match(await ask('POST', '/write', '{}'), { status: 200, text: /"method":"jwt"/ })
  t.match(await ask('GET', '/auth/me'), { status: 200, text: /ann@example.com/ })
  const before = cookies.find(({ name }) => name === '__Host-refresh_token')?.value
  t.match(await ask('POST', '/auth/refresh'), { status: 200, text: /"expires_in"/ })
  const after = (await tab.context().cookies(at)).find(({ name }) => name === '__Host-refresh_token')?.value
  t.ok(after !== undefined && after !== before, 'another one')

  // Another port is another origin of the same site: SameSite lets it through, and the service does not.
  await tab.goto(evilAt, WAIT)
  const answered = tab.waitForResponse((response) => response.url() === `${at}/write`)
  await tab.evaluate(`
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '${at}/write'
    document.body.append(form)
    form.submit()`)
  const { status, cookie } = await answered.then(async (response) => ({
    status: response.status(),
    cookie: (await response.request().allHeaders()).cookie,
  }))
  t.match(cookie, /__Host-access_token=/, 'the browser sends the cookie along')
  t.equal(status, 403, 'and a page of another origin writes nothing')
  await tab.waitForURL(`${at}/write`)

  await tab.goto(`${at}/app`, WAIT)
  t.match(await ask('POST', '/auth/logout'), { status: 204 })
  t.notMatch(
    (await tab.context().cookies(at)).map(({ name }) => name),
    ['__Host-access_token'],
  )
  t.equal((await ask('GET', '/who'))?.text, 'null')
})
