import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { main } from '../../../../core/cli/main.ts'
import { requirePython } from '../../../helpers/python.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { createTestIo } from '../helpers.ts'

t.setTimeout(300_000)

const schemaOf = (field = 'name', type = 'str'): string => `from __future__ import annotations
import svc

@svc.type
class User:
    id: svc.ID
    ${field}: ${type}

@svc.query
def users() -> list[User]: ...

svc.export()
`
const TOML = '[svc]\nschema_file = "schema.py"\n[database]\nurl = "pglite:memory"\n'
const TABLE = 'CREATE TABLE v_user (id int PRIMARY KEY, name text NOT NULL);'

t.test('svc compile', async (t) => {
  if (requirePython(t) === null) return
  const folder = t.testdir({ 'schema.py': schemaOf() })
  const compiled = await runCommand(folder, 'compile', 'schema.py', '--offline')
  t.match(compiled, { code: 0, out: /✓ 1 type, 1 query/ })
  const json = JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8'))
  t.match(json.$schema, /schema\.schema\.json$/)
  t.equal(json.types[0].name, 'User')
  t.notMatch(JSON.stringify(json), /\$place|\$files/)
  t.ok(existsSync(join(folder, 'schema.compiled.json')))
  t.match(await runCommand(folder, 'compile', 'schema.py', '--offline', '--check'), { code: 0, out: /is up to date/ })
  writeFileSync(join(folder, 'schema.py'), schemaOf('nmae', 'Strng'))
  const failed = await runCommand(folder, 'compile', 'schema.py', '--offline', '--json')
  t.match(failed, { code: 1, err: /^error: \S*schema\.py:7:5: .*"Strng"/ })
  t.match(JSON.parse(failed.out), { error: { code: 'SVC_SCHEMA_INVALID', message: /schema\.py:7:5/ } })
  writeFileSync(join(folder, 'schema.py'), `${schemaOf()}print("noise")\n`)
  const noisy = await runCommand(folder, 'compile', 'schema.py', '--offline', '--json')
  t.match(noisy, { code: 0, err: 'noise\n' })
  t.same(JSON.parse(noisy.out).ok, true, 'the output is one document')
})

t.test('the schema of a project', async (t) => {
  if (requirePython(t) === null) return
  const folder = t.testdir({ 'schema.py': schemaOf('nmae'), db: { '1.sql': TABLE } })
  const toml = (text: string) => writeFileSync(join(folder, 'svc.toml'), text)
  toml(TOML)
  const failed = await runCommand(folder, 'compile')
  t.match(failed, { code: 1, err: /^schema\.py:7:5 {2}error {2}User\.nmae: .*"name"/m }, 'errors of the compiler too')
  writeFileSync(join(folder, 'schema.py'), schemaOf())
  t.match(await runCommand(folder, 'compile'), { code: 0, out: /catalog of v_user read/ })
  t.match(await runCommand(folder, 'diff', 'schema.json', 'schema.py', '--offline'), { code: 0 })
  toml(TOML.replace('schema.py', 'schema.json'))
  t.match(
    await runCommand(folder, 'compile', '--check'),
    { code: 0 },
    'schema.py before the schema.json that it writes',
  )
  writeFileSync(join(folder, 'schema.ts'), '')
  const both = await runCommand(folder, 'compile')
  t.match(both, { code: 2, err: /has schema\.ts and schema\.py\. Name the schema.* schema_file = / })
  toml(TOML)
  t.match(await runCommand(folder, 'compile'), { code: 0 }, 'a named schema is used')
  toml(`${TOML}`.replace('[svc]', '[svc]\npython = "./no/python"'))
  t.match(await runCommand(folder, 'compile'), { code: 2, err: /SVC_PYTHON or svc\.python names \S+\/no\/python/ })
  const named = createTestIo(folder, { SVC_PYTHON: 'python-of-h9', SVC_SCHEMA_OUT: 'x' })
  t.equal(await main(['compile'], named.io), 2)
  t.match(named.stderr(), /no command python-of-h9/, 'SVC_PYTHON comes before svc.toml')
  toml(TOML.replace('[svc]', '[svc]\npython_timeout_ms = 700'))
  writeFileSync(join(folder, 'schema.py'), 'while True: pass\n')
  t.match(await runCommand(folder, 'compile'), { code: 1, err: /did not end within 0\.7 seconds/ })
})

/** Starts a command that runs until the test ends. */
function start(t: Test, folder: string, ...argv: readonly string[]) {
  const process = createTestIo(folder, { SVC_LOG_FORMAT: 'pretty' })
  const running = main(argv, process.io)
  t.teardown(async () => {
    process.stop()
    await running
  })
  const output = (): string => process.stdout() + process.stderr()
  const until = async (check: () => unknown): Promise<void> => {
    for (let tries = 0; tries < 2400; tries++) {
      if (await check()) return
      await sleep(25)
    }
    throw new Error(`not in time: ${output()}`)
  }
  return { output, until }
}

t.test('--watch follows the module and its imports, in other folders too', async (t) => {
  if (requirePython(t) === null) return
  const imports = (text: string): string =>
    text.replace('import svc', 'import sys, svc; sys.path.append("../shared")\nimport models.user, common')
  const root = t.testdir({
    shared: { 'common.py': '' },
    app: { 'schema.py': imports(schemaOf()), models: { 'user.py': '' } },
  })
  const folder = join(root, 'app')
  const compile = start(t, folder, 'compile', 'schema.py', '--offline', '--watch')
  const runs = (): number => compile.output().split('✓').length - 1
  const afterChange = async (path: string, text: string, pattern: RegExp): Promise<void> => {
    await sleep(300)
    const count = (): number => compile.output().split(pattern).length
    const before = count()
    writeFileSync(join(root, path), text)
    await compile.until(() => count() > before)
    t.pass(path)
  }
  await compile.until(() => runs() === 1)
  await afterChange('app/schema.py', imports(schemaOf('title')), /✓ 1 type/)
  await afterChange('app/models/user.py', 'X = 1\n', /✓ 1 type/)
  await afterChange('shared/common.py', 'X = \n', /shared\/common\.py:1:\d+: SyntaxError/)
  await afterChange('shared/common.py', 'X = 1\n', /✓ 1 type/)
  await sleep(600)
  const before = runs()
  mkdirSync(join(folder, '.venv'))
  writeFileSync(join(folder, '.venv', 'other.py'), '')
  writeFileSync(join(folder, 'notes.txt'), '')
  await sleep(800)
  t.equal(runs(), before, 'nothing else is followed')
})

t.test('svc dev', async (t) => {
  if (requirePython(t) === null) return
  const toml = `${TOML}[security]\ndefault_policy = "public"\n[server]\nhost = "127.0.0.1"\nport = 0\n`
  const folder = t.testdir({ 'svc.toml': toml, 'schema.py': schemaOf('nmae'), db: { '1.sql': TABLE } })
  const service = start(t, folder, 'dev')
  const url = (): string => /http:\/\/127\.0\.0\.1:\d+/.exec(service.output())?.[0] ?? ''
  await service.until(() => service.output().includes('The errors are at'))
  const page = await fetch(url(), { headers: { accept: 'text/html' } })
  t.match(await page.text(), /schema\.py:7:5/)
  const ask = async (query: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify({ query }) }
    return fetch(`${url()}/graphql`, request).then(
      (reply) => reply.text(),
      () => '',
    )
  }
  writeFileSync(join(folder, 'schema.py'), schemaOf())
  await service.until(async () => (await ask('{ users { name } }')).includes('"users":[]'))
  await sleep(300)
  writeFileSync(join(folder, 'schema.py'), `${schemaOf()}raise ValueError("why")\n`)
  await service.until(() => /schema\.py:13:1: ValueError: why/.test(service.output()))
  t.match(await ask('{ users { name } }'), /"users":\[\]/, 'the old schema is served')
  writeFileSync(join(folder, 'schema.py'), schemaOf('title: str\n    name'))
  await service.until(() => /User\.title/.test(service.output()))
  writeFileSync(join(folder, 'schema.py'), schemaOf().replace('users', 'people'))
  await service.until(async () => (await ask('{ people { name } }')).includes('"people":[]'))
})
