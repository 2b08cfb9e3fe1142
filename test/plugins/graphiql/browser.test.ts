import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import graphiql from '../../../plugins/graphiql/index.ts'
import { openProject, writeProject } from '../../helpers/open-project.ts'
import { requireService, skip } from '../../helpers/services.ts'
import { openShopOnPostgres, until } from '../subscriptions/shop.ts'

/** The query editor in a real browser, which has no way out of this machine. */
t.setTimeout(180_000)

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const WAIT = { timeout: 60_000 }

const TOML = `
[database]
url = "pglite:memory"
[security]
default_policy = "public"
[server]
host = "127.0.0.1"
port = 0
[svc.graphiql]
default_query = "{ relations(where: { name: { _eq: \\"pg_class\\" } }) { name } }"
`

interface Seen {
  readonly requests: string[]
  readonly errors: string[]
}

/** Opens a page that writes down whatever it asks for and complains about. */
async function openPage(t: Test, executablePath: string): Promise<{ page: Page; seen: Seen }> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
    ...WAIT,
  })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(WAIT.timeout)
  const seen: Seen = { requests: [], errors: [] }
  page.on('request', (request) => seen.requests.push(request.url()))
  page.on('pageerror', (error) => seen.errors.push(String(error)))
  page.on('requestfailed', (request) => seen.errors.push(`failed: ${request.url()}`))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text())
  })
  return { page, seen }
}

t.test('the editor loads, runs queries and shows their results, without any other host', async (t) => {
  const browser = BROWSERS.find((path) => existsSync(path))
  if (browser === undefined) {
    skip(t, 'browser', `no browser at ${BROWSERS.join(', ')}`)
    return
  }
  const folder = t.testdir()
  writeProject(folder, TOML)
  const app = await openProject(t, folder)
  const url = await app.listen()
  const { page, seen } = await openPage(t, browser)

  await page.goto(`${url}/graphql`, WAIT)
  const result = page.locator('.result-window')
  await page.locator('.graphiql-query-editor .CodeMirror').waitFor()
  t.match(await page.title(), /query editor/)

  await page.getByRole('button', { name: /execute query/i }).click()
  await result.getByText('"pg_class"').waitFor()
  t.match(await result.textContent(), /"relations"/, 'the default query ran')

  await page.locator('.graphiql-query-editor .CodeMirror').click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('{ relations(where: { name: { _eq: "pg_type" } }) { label: name } }')
  await page.keyboard.press('Control+Enter')
  await result.getByText('"pg_type"').waitFor()
  t.match(await result.textContent(), /"label"/, 'a query that was typed ran')

  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('{ relations { nmae } }')
  await page.keyboard.press('Control+Enter')
  await result.getByText('GRAPHQL_VALIDATION_FAILED').waitFor()
  t.match(await result.textContent(), /Did you mean \\"name\\"/, 'an error shows as it is')

  await page
    .getByRole('button', { name: /documentation explorer/i })
    .first()
    .click()
  await page.getByText('Root Types', { exact: false }).first().waitFor()
  t.match(await page.locator('.graphiql-doc-explorer').textContent(), /Query/, 'the schema was read by introspection')

  const foreign = seen.requests.filter((one) => !one.startsWith(url) && !/^(?:data|blob):/.test(one))
  t.same(foreign, [], 'no request to another host')
  t.same(seen.errors, [], 'no error on the console')
  t.ok(seen.requests.length >= 6, `${seen.requests.length} requests were watched`)
})

t.test('a subscription shows what happens, with the credential of the editor, until it is stopped', async (t) => {
  const browser = BROWSERS.find((path) => existsSync(path))
  if (browser === undefined) {
    skip(t, 'browser', `no browser at ${BROWSERS.join(', ')}`)
    return
  }
  if (!(await requireService(t, 'postgres'))) return
  const mine = { name: 'orderOfMine', type: 'Order!', filter: 'customer == context.user_id', authenticated: true }
  const default_query = 'subscription { orderOfMine { id customer status } }'
  const app = await openShopOnPostgres(t, [mine], {
    observers: null,
    plugins: [{ plugin: graphiql, options: { default_query }, source: 'test' }],
  })
  const { page, seen } = await openPage(t, browser)
  await page.goto(`${app.url}/graphql`, WAIT)
  const result = page.locator('.result-window')
  await page.locator('.graphiql-query-editor .CodeMirror').waitFor()
  await page.getByRole('button', { name: /execute query/i }).click()
  await result.getByText('UNAUTHENTICATED').waitFor()
  // The editor writes what it was refused with to the console, too.
  seen.errors.splice(0)

  await page.getByRole('button', { name: 'Headers' }).click()
  await page.locator('.graphiql-editor-tool .CodeMirror:visible').click()
  await page.keyboard.insertText('{ "authorization": "Bearer ann" }')
  await page.getByRole('button', { name: /execute query/i }).click()
  const active = () => app.metric('svc_subscriptions_active')
  await until(() => active() === 1, 'it begins')
  const id = await app.place('ann')
  await app.place('bob')
  await result.getByText(id).waitFor()
  await app.set(id, 'shipped')
  await result.getByText('"shipped"').waitFor()
  t.match(await result.textContent(), /"customer": "ann"/)
  t.notMatch(await result.textContent(), /bob/)
  await page.getByRole('button', { name: /stop query/i }).click()
  await until(() => active() === 0, 'it ends')
  const foreign = seen.requests.filter((one) => !one.startsWith(app.url) && !/^(?:data|blob):/.test(one))
  t.same(foreign, [], 'no request to another host')
  t.same(seen.errors, [], 'no error on the console')
})
