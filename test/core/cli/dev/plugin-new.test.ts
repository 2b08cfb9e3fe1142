import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runCommand } from '../../../helpers/run-command.ts'
import { runTests } from './run-tests.ts'

t.setTimeout(600_000)

t.test('svc plugin new writes a plugin that runs, and a test that passes', async (t) => {
  const dir = t.testdir({ 'svc.toml': '[database]\nurl = "pglite:memory"', 'package.json': '{ "type": "module" }' })
  const ran = await runCommand(dir, 'plugin', 'new', 'audit-trail')
  t.equal(ran.code, 0, ran.err)
  t.match(ran.out, 'plugins/audit-trail.ts\ntest/audit-trail.test.ts\nsvc.toml\npackage.json\n')
  t.match((await runCommand(dir, 'plugins')).out, /audit-trail/)
  const { scripts } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { scripts: { test: string } }
  t.equal(scripts.test, 'node --import=tsx --test test/*.test.ts')

  const good = await runTests(dir)
  t.match(good, /# pass 2\n/)
  t.match(good, /# fail 0\n/)

  const config = readFileSync(join(dir, 'svc.toml'), 'utf8')
  const again = await runCommand(dir, 'plugin', 'new', 'audit-trail')
  t.equal(again.code, 2)
  t.match(again.err, 'There is a plugin "audit-trail" already')
  t.equal(readFileSync(join(dir, 'svc.toml'), 'utf8'), config)
})

t.test('svc plugin new changes nothing when it cannot add the plugin', async (t) => {
  const toml = '[plugins]\nuse = []\n[database]\nurl = "pglite:memory"\n'
  const dir = t.testdir({ 'svc.toml': toml })
  const ran = await runCommand(dir, 'plugin', 'new', 'audit')
  t.equal(ran.code, 2)
  t.match(ran.err, 'no file has changed')
  t.equal(readFileSync(join(dir, 'svc.toml'), 'utf8'), toml)
  t.notOk(existsSync(join(dir, 'plugins/audit.ts')))
  for (const [name, reason] of [
    ['Audit', 'write kebab-case'],
    ['rest', 'There is a plugin "rest" already'],
    ['server', 'would share the section'],
  ] as const) {
    writeFileSync(join(dir, 'svc.toml'), '[database]\nurl = "pglite:memory"\n')
    const refused = await runCommand(dir, 'plugin', 'new', name)
    t.equal(refused.code, 2)
    t.match(refused.err, reason)
  }
})
