import pg from 'pg'
import t from 'tap'
import { connectionAttempts } from '../../../plugins/postgres/wire/connection-options.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'

const CONFIG = {
  url: 'postgres://svc:secret@db.example.org:5433/shop',
  ssl_mode: 'prefer',
  pool_min: 2,
  pool_max: 20,
  connect_timeout_ms: 5000,
  idle_timeout_ms: 600_000,
  prepared_statements: true,
  plan_cache_mode: 'auto',
} as const

t.test('ssl modes become ways to try', async (t) => {
  const ways = (config: Partial<Parameters<typeof connectionAttempts>[0]>) =>
    connectionAttempts({ ...CONFIG, ...config }).map((attempt) => attempt.ssl)
  const encrypted = { rejectUnauthorized: false }
  t.strictSame(ways({ ssl_mode: 'disable' }), [false])
  t.strictSame(ways({ ssl_mode: 'allow' }), [false, encrypted])
  t.strictSame(ways({ ssl_mode: 'prefer' }), [encrypted, false])
  t.strictSame(ways({ ssl_mode: 'require' }), [encrypted])
  t.strictSame(ways({ url: `${CONFIG.url}?sslmode=require` }), [encrypted], 'the URL wins')
  t.strictSame(ways({ url: `${CONFIG.url}?sslmode=verify-full` }), [undefined], 'pg checks certificates')
  t.strictSame(ways({ url: 'postgres:///shop?host=/var/run/postgresql' }), [false], 'no TLS on a socket')
})

t.test('the URL keeps what it says, and ours comes first', async (t) => {
  const [attempt] = connectionAttempts({
    ...CONFIG,
    url: `${CONFIG.url}?options=-c%20geqo%3Doff&application_name=shop`,
  })
  t.match(attempt.options, /^-c TimeZone=UTC .*-c plan_cache_mode=auto.* -c geqo=off$/)
  t.equal(attempt.application_name, 'shop')
  t.equal(new URL(attempt.connectionString!).search, '')
})

t.test('an unencoded percent sign is literal in every part of a URL', async (t) => {
  for (const [url, host, password, database] of [
    ['postgres://svc:50%off@host/shop', 'host', '50%off', 'shop'],
    ['postgres://svc:a%c3b%40@host/shop%', 'host', 'a%c3b@', 'shop%'],
    ['postgres://svc:p%40ss%@%2Ftmp/shop', '/tmp', 'p@ss%', 'shop'],
  ] as const) {
    const client = new pg.Client(connectionAttempts({ ...CONFIG, url })[0])
    t.strictSame([client.host, client.password, client.database], [host, password, database], url)
  }
})

t.test('an invalid URL is refused without showing it', async (t) => {
  const error = t.throws(() => connectionAttempts({ ...CONFIG, url: 'postgres://svc:sec ret@:x' }), {
    code: 'SVC_CONFIG_INVALID',
  })
  t.notMatch(String(error), /sec/)
})

t.test('against the server', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const show = { name: null, text: `SELECT current_setting('geqo'), current_setting('application_name')` }
  for (const ssl_mode of ['disable', 'allow', 'prefer'] as const) {
    const database = await openDatabase(t, `${url}?options=-c%20geqo%3Doff`, { config: { ssl_mode } })
    t.strictSame((await database.query(show, [], null)).rows, [['off', 'svc']], ssl_mode)
  }
})
