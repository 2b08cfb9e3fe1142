import { randomBytes } from 'node:crypto'
import t from 'tap'
import { main } from '../../../core/cli/main.ts'
import { createPostgresDatabase, postgresUrl, runOnServer } from '../../helpers/databases.ts'
import { svc } from '../../helpers/service.ts'
import { requireService } from '../../helpers/services.ts'
import { createTestIo } from './helpers.ts'

t.test('a server that answers and does not let us in is no server that is away', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  async function compile(url: string): Promise<string> {
    const toml = `[database]\nurl = "${url}"\nconnect_timeout_ms = 2000\n`
    const { io, stderr } = createTestIo(t.testdir({ 'svc.toml': toml, 'schema.json': '{"types":[],"queries":[]}' }))
    t.equal(await main(['compile'], io), 3, stderr())
    return stderr()
  }
  const as = (url: string, role: string) => Object.assign(new URL(url), { username: role }).href

  t.match(await compile(postgresUrl('svc_is_not_there')), /lets? us in.*"svc_is_not_there".*Create the database/s)

  const url = await createPostgresDatabase(t)
  const role = `svc_test_${randomBytes(6).toString('hex')}`
  t.match(await compile(as(url, role)), new RegExp(`let us in.*"${role}".*Create the role`, 's'))

  await runOnServer('postgres', `CREATE ROLE ${role} LOGIN`)
  t.teardown(() => runOnServer('postgres', `DROP ROLE ${role}`))
  await runOnServer('postgres', `REVOKE CONNECT ON DATABASE ${new URL(url).pathname.slice(1)} FROM PUBLIC`)
  t.match(await compile(as(url, role)), /let us in.*Grant the role CONNECT/s)
})

t.test('open handles of a command do not keep the process alive', { timeout: 120_000 }, async (t) => {
  const dir = t.testdir({
    'svc.toml': '[database]\nurl = "pglite:memory"\n[[plugins.use]]\npath = "./linger/index.js"\n',
    linger: {
      'package.json': '{"type":"module"}',
      'index.js': `import manifest from './manifest.js'\nexport default { manifest, setup() {} }\n`,
      'manifest.js': `export default {
        name: 'linger', version: '1.0.0', kernelApi: 1, description: 'Leaves a timer behind.',
        commands: [{ name: 'linger', summary: 'Leaves a timer behind.', examples: ['svc linger'], module: './command.js' }],
      }\n`,
      'command.js': `export default () => { setInterval(() => {}, 1000); return 7 }\n`,
    },
  })
  const { code, stderr } = await svc(['linger'], dir)
  t.equal(code, 7, stderr)
})
