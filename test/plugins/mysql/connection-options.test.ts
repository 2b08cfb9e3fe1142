import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { DatabaseConfig } from '../../../core/doors/driver.ts'
import { connectionAttempts } from '../../../plugins/mysql/connection-options.ts'

const attempts = (url: string, ssl_mode: DatabaseConfig['ssl_mode'] = 'prefer') =>
  connectionAttempts({
    url,
    ssl_mode,
    pool_min: 1,
    pool_max: 2,
    connect_timeout_ms: 1234,
    idle_timeout_ms: 1,
    prepared_statements: true,
    plan_cache_mode: 'auto',
  })
const modes = (url: string, mode?: DatabaseConfig['ssl_mode']) =>
  attempts(url, mode).map(({ ssl }) => (ssl === undefined ? 'plain' : ssl))

t.test('the parts of the URL', async (t) => {
  t.match(attempts('mysql://us%40er:p%2Fw:x@[::1]:3307/sh%20op')[0], {
    host: '::1',
    port: 3307,
    user: 'us@er',
    password: 'p/w:x',
    database: 'sh op',
    connectTimeout: 1234,
  })
  t.match(attempts('mariadb://root@db.example/shop?application_name=api')[0], {
    host: 'db.example',
    port: 3306,
    connectAttributes: { program_name: 'api' },
  })
  t.match(attempts('mysql://root:50%off@h/shop')[0], { password: '50%off' }, 'a percent that is not encoded')
  const [local, ...others] = attempts('mysql://root@localhost/shop?socket=/run/mysqld/mysqld.sock')
  t.match(local, { socketPath: '/run/mysqld/mysqld.sock', host: undefined, ssl: undefined })
  t.strictSame(others, [])
})

t.test('TLS', async (t) => {
  const url = 'mysql://h/shop'
  t.strictSame(modes(url, 'disable'), ['plain'])
  t.match(modes(url, 'prefer'), [{ rejectUnauthorized: false }, 'plain'])
  t.match(modes(url, 'allow'), ['plain', { rejectUnauthorized: false }])
  t.match(modes(url, 'require'), [{ rejectUnauthorized: false, verifyIdentity: false }])
  t.match(modes(`${url}?sslmode=verify-full`, 'disable'), [{ rejectUnauthorized: true, verifyIdentity: true }])
  t.match(modes(`${url}?ssl-mode=VERIFY_CA`), [{ rejectUnauthorized: true, verifyIdentity: false }])
  t.match(modes(`${url}?ssl-mode=DISABLED`), ['plain'])
  const folder = t.testdir()
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, name), name)
  const files = ['ca', 'cert', 'key'].map((name) => `ssl-${name}=${join(folder, name)}`).join('&')
  t.match(modes(`${url}?${files}`), [
    { rejectUnauthorized: true, ca: Buffer.from('ca'), cert: Buffer.from('cert'), key: Buffer.from('key') },
  ])
})

t.test('faults name the remedy', async (t) => {
  for (const [url, message] of [
    ['mysql:shop', /database\.url is not a URL\. Write it as mysql:/],
    ['mysql://h', /names no database/],
    ['mysql://h/shop?sslmod=x', /unknown parameter "sslmod"\. Parameters: sslmode/],
    ['mysql://h/shop?sslmode=always', /unknown sslmode "always"\. Values: disable/],
    ['mysql://h/shop?ssl-ca=/nowhere', /file of "ssl-ca".*cannot be read/],
  ] as const) {
    t.throws(() => attempts(url), { code: 'SVC_CONFIG_INVALID', message })
  }
})
