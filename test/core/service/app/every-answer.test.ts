import t from 'tap'
import { openProject, writeProject } from '../../../helpers/open-project.ts'

/** A service with a front of each kind, as its configuration turns them on. */
const TOML = `
[database]
url = "pglite:memory"
[plugins]
enable = ["subscriptions", "sse", "arrow", "mcp", "explain"]
[security]
default_policy = "public"
jwt_secret = "a secret of the tests that is long enough for HS256"
[security.api_keys]
enabled = true
storage = "env"
header = "X-Team-Key"
[server.admin]
token = "an-admin-token-of-the-tests-that-is-long-enough"
enabled = true
`

/** What routes without parameters are asked for, with a query where one is needed. */
const QUERIES: Readonly<Record<string, string>> = { '/graphql': '?query=%7B__typename%7D' }

t.test('every answer of every front says who may keep it, and shared ones are of no caller', async (t) => {
  const folder = t.testdir()
  writeProject(folder, TOML)
  const app = await openProject(t, folder)
  const paths = new Set(app.kernel.routes.map(({ path }) => path).filter((path) => !/[:*]/.test(path)))
  for (const path of ['/rest/v1/relations', '/nowhere']) paths.add(path)
  t.ok(paths.size > 15, `${paths.size} paths`)
  const anonymous = new Set(
    app.kernel.routes
      .filter(({ method, anonymous: open }) => method === 'GET' && open === true)
      .map(({ path }) => path),
  )
  let asked = 0
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'])
      for (const headers of [{}, { 'x-team-key': 'bad' }, { cookie: 'a=b' }, { authorization: 'Basic YTpi' }] as Record<
        string,
        string
      >[]) {
        const reply = await app.inject({ method, url: `${path}${QUERIES[path] ?? ''}`, headers })
        const control = String(reply.headers['cache-control'] ?? '')
        const what = `${method} ${path} ${JSON.stringify(headers)} → ${reply.status} ${control}`
        const isOwn = /\b(?:private|no-store)\b/.test(control)
        if (reply.status >= 400 || reply.headers['set-cookie'] !== undefined) t.equal(control, 'no-store', what)
        else if (Object.keys(headers).length > 0 && !anonymous.has(path)) t.ok(isOwn, what)
        else t.not(control, '', what)
        if (
          (method === 'GET' || method === 'HEAD') &&
          !anonymous.has(path) &&
          path !== '/nowhere' &&
          reply.status !== 405
        ) {
          const vary = String(reply.headers.vary ?? '').split(', ')
          for (const name of ['Authorization', 'X-Team-Key']) t.ok(vary.includes(name), `${what}: Vary names ${name}`)
        }
        asked++
      }
  t.ok(asked > 300, `${asked} answers`)
})
