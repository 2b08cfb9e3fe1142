import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import t from 'tap'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { skip } from '../../helpers/services.ts'
import { testCredential } from '../../helpers/test-credential.ts'
import { REST_SQL, restPlugin } from '../rest/world.ts'
import { OPENAPI_SCHEMA, openapiPlugin } from './world.ts'

/** The API reference: without a browser, and in one that has no way out of this machine. */
t.setTimeout(180_000)

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const WAIT = { timeout: 60_000 }
const url = await createPostgresDatabase(t, { sql: REST_SQL })
const app = await openApp(t, { kind: 'postgres', url }, OPENAPI_SCHEMA, {
  plugins: [restPlugin(), openapiPlugin(), testCredential()],
})

t.test('every file that the page names is served, from this host alone', async (t) => {
  const page = await app.inject({ url: '/openapi' })
  t.match(page.headers, {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, "script-src 'self';")
  t.match(policy, "frame-ancestors 'none'")
  t.notMatch(policy, /https?:|\*/, 'no other host may be asked')
  t.notMatch(page.text, /<script>|onclick|(src|href)="(https?:)?\/\//)
  const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  const pathsBelow = (prefix: string) =>
    named.filter((path) => !path.startsWith('data:')).map((path) => new URL(path, `http://x${prefix}/openapi`).pathname)
  const files = pathsBelow('')
  t.equal(files.length, 4)
  t.strictSame(
    pathsBelow('/shop'),
    files.map((path) => `/shop${path}`),
    'also below a path of a proxy',
  )
  for (const path of files) {
    const file = await app.inject({ url: path })
    t.equal(file.status, 200, path)
    t.match(file.headers['content-type'], path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    t.equal(file.headers['x-content-type-options'], 'nosniff')
    t.ok(file.text.length > 300, `${path}: ${file.text.length} characters`)
  }
  t.equal((await app.inject({ url: '/openapi/other.js' })).status, 404)
})

t.test('it shows the document, sends what is typed, and nothing that is not', async (t) => {
  const executablePath = BROWSERS.find((path) => existsSync(path))
  if (executablePath === undefined) {
    skip(t, 'browser', `no browser at ${BROWSERS.join(', ')}`)
    return
  }
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage']
  const browser = await chromium.launch({ executablePath, args, ...WAIT })
  t.teardown(() => browser.close())
  const page = await browser.newPage({ colorScheme: 'dark' })
  page.setDefaultTimeout(WAIT.timeout)
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  const base = await app.listen()
  await page.goto(`${base}/openapi`, WAIT)
  const operation = page.locator('#operations-posts-post')
  await operation.locator('.opblock-summary-control').waitFor()
  t.match(await page.locator('.info').textContent(), /Posts.*2\.1\.0/)
  t.match(await page.locator('html').getAttribute('class'), 'dark-mode')
  await page.locator('#theme').press('Enter')
  t.notMatch((await page.locator('html').getAttribute('class')) ?? '', 'dark-mode')

  await operation.locator('.opblock-summary-control').press('Enter')
  await operation.getByRole('button', { name: /try it out/i }).press('Enter')
  await operation.getByPlaceholder('id', { exact: true }).fill('b0000000-0000-4000-8000-000000000001')
  await operation.getByRole('button', { name: /execute/i }).press('Enter')
  await operation.locator('.live-responses-table').getByText('"Post 01"').first().waitFor()

  const list = page.locator('#operations-posts-posts')
  await list.locator('.opblock-summary-control').click()
  await list.getByRole('button', { name: /try it out/i }).click()
  await list.getByRole('button', { name: /execute/i }).click()
  await list.locator('.live-responses-table').waitFor()
  const asked = requests.find((one) => one.includes('/rest/v1/posts?'))
  t.equal(asked, `${base}/rest/v1/posts?limit=20&offset=0`, 'no example is sent')
  const foreign = requests.filter((one) => !one.startsWith(base) && !/^(?:data|blob):/.test(one))
  t.same(foreign, [], 'no request to another host')
  t.same(errors, [], 'no error on the console')
})
