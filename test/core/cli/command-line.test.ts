import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { COMMAND_NAMES, type CommandName } from '../../../core/cli/command/command-names.ts'
import { COMMAND_SUMMARIES } from '../../../core/cli/command/command-summaries.ts'
import { usageLine } from '../../../core/cli/command/print-help.ts'
import { loadCommands, main } from '../../../core/cli/main.ts'
import { entriesOf } from '../../../core/config/plugin-catalog.ts'
import type { Preset } from '../../../core/config/preset.ts'
import { full } from '../../../presets/full.ts'
import { minimal } from '../../../presets/minimal.ts'
import { svc } from '../../helpers/service.ts'
import { createTestIo } from './helpers.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

async function call(t: { testdir(): string }, ...argv: string[]) {
  const { io, stdout, stderr } = createTestIo(t.testdir())
  const code = await main(argv, io)
  return { code, stdout: stdout(), stderr: stderr() }
}

t.test('version and help', async (t) => {
  for (const flag of ['-V', '--version']) {
    t.strictSame(await call(t, flag), { code: 0, stdout: `${version}\n`, stderr: '' })
    t.strictSame(await call(t, 'run', flag), { code: 0, stdout: `${version}\n`, stderr: '' })
  }
  const overview = await call(t, '--help')
  t.equal(overview.code, 0)
  for (const name of ['serve [URL]', 'init [NAME]', 'introspect', 'compile [INPUT]', 'run [INPUT]', 'plugins [INPUT]'])
    t.match(overview.stdout, name)
  t.match(overview.stdout, 'In a project, its plugins add commands.')
  t.strictSame(await call(t, '-h'), overview)
  t.strictSame(await call(t, 'help'), overview)
  const help = await call(t, 'run', '--help')
  t.match(
    help.stdout,
    /Usage: svc run \[INPUT\] \[FLAGS\][\s\S]*-p, --port PORT[\s\S]*--host, --bind ADDRESS[\s\S]*-h, --help/,
  )
  t.strictSame(await call(t, 'help', 'run'), help)
})

t.test('the summaries of the overview are those of the commands', async (t) => {
  for (const command of await loadCommands())
    t.strictSame(COMMAND_SUMMARIES[command.name as CommandName], [usageLine(command), command.summary], command.name)
})

const COMMANDS = COMMAND_NAMES.join(', ')

const USAGE: readonly (readonly [argv: string[], text: RegExp])[] = [
  [[], new RegExp(`^error: Name a command: ${COMMANDS}\\.\\nSee: svc --help\\n$`)],
  [
    ['rnu'],
    new RegExp(`^error: There is no command "rnu"\\. Did you mean "run"\\? Commands: ${COMMANDS}, routes, openapi\\.`),
  ],
  [['help', 'rnu'], /Did you mean "run"\?/],
  [['--port', '1'], /There is no flag --port before the command/],
  [['run', '--prot', '1'], /"svc run" has no flag --prot\. Did you mean "--port"\?\nSee: svc run --help/],
  [['run', '-x'], /"svc run" has no flag -x\.\n/],
  [['run', '--port'], /--port wants a value: --port PORT\./],
  [['run', '--port', '--watch'], /--port wants a value/],
  [['run', '--watch=yes'], /--watch takes no value, got "yes"\./],
  [['run', 'a.toml', 'b.toml'], /"svc run" has no use for the argument "b\.toml"\./],
  [['run'], /There is no configuration file svc\.toml\. .*svc init NAME/],
  [['run', 'nope.toml'], /There is no configuration file nope\.toml/],
  [['plugins', '--preset', 'fulll'], /There is no preset "fulll"\. Did you mean "full"\?/],
]

for (const [argv, text] of USAGE) {
  t.test(`svc ${argv.join(' ')}: exit code 2`, async (t) => {
    const { code, stdout, stderr } = await call(t, ...argv)
    t.equal(code, 2)
    t.equal(stdout, '')
    t.match(stderr, text)
    t.notMatch(stderr, /\n {4}at /, 'no stack')
  })
}

t.test('a value may start with a minus when it is a number, and flags have other names', async (t) => {
  const dir = t.testdir({ 'svc.toml': '' })
  const { io, stderr } = createTestIo(dir)
  t.equal(await main(['run', '--bind', '', '--port=-5'], io), 2)
  t.match(stderr(), /--host: server\.host wants a text that is not empty[\s\S]*--port: server\.port wants .* got -5/)
})

t.test('configuration faults: exit code 2 with places, no stack unless SVC_LOG_LEVEL=debug', async (t) => {
  const dir = t.testdir({ 'svc.toml': '[server]\nprot = 1\n' })
  for (const command of ['run', 'compile', 'plugins']) {
    const { io, stderr } = createTestIo(dir)
    t.equal(await main([command], io), 2, command)
    t.equal(
      stderr(),
      'error: The configuration cannot be used. svc.toml:2: there is no key "prot" in [server]. Did you mean "port"?\n',
    )
  }
  const { io, stderr } = createTestIo(dir, { SVC_LOG_LEVEL: 'debug' })
  await main(['run'], io)
  t.match(stderr(), /\n {4}at /)
})

t.test('a schema that is not compiled, or does not compile: exit code 1', async (t) => {
  const dir = t.testdir({ 'svc.toml': '[database]\nurl = "pglite:memory"\n', 'schema.json': '{"types":[{"nam":1}]}' })
  const { io, stderr } = createTestIo(dir)
  t.equal(await main(['run'], io), 1)
  t.match(stderr(), /no compiled schema at .*schema\.compiled\.json\. Run `svc compile` first\.\n$/)
  t.equal(await main(['compile'], io), 1)
})

t.test('a database that is not there: exit code 3 for the compiler', async (t) => {
  const dir = t.testdir({
    'svc.toml': '[database]\nurl = "postgres://u:secret-pw@127.0.0.1:1/x"\nconnect_timeout_ms = 500\n',
    'schema.json': '{"types":[],"queries":[]}',
  })
  const { io, stderr } = createTestIo(dir)
  t.equal(await main(['compile'], io), 3, stderr())
  t.match(stderr(), /The database cannot be reached/)
  t.notMatch(stderr(), /secret-pw/)
})

t.test('bin/svc.js gives the exit code to the shell', async (t) => {
  const dir = t.testdir({ 'svc.toml': '[servr]\n' })
  t.match(await svc(['--version'], dir), { code: 0, stdout: `${version}\n`, stderr: '' })
  t.match(await svc(['run'], dir), {
    code: 2,
    stdout: '',
    stderr: /svc\.toml:1: there is no section \[servr\]\. Did you mean "server"\?/,
  })
  t.match(await svc(['run', 'folder/that/is/not/there'], dir), { code: 2, stderr: /There is no configuration file/ })
})

t.test('a command whose output has no reader ends with its own exit code, and without an error', async (t) => {
  const run = (command: string) => `node "$0" ${command} | true; echo "\${PIPESTATUS[0]}"`
  const script = [run('plugins 2>"$1/err"'), run('plugins --json 2>&1'), run('nope 2>&1')].join('\n')
  const dir = t.testdir()
  const stdout = execFileSync('bash', ['-c', script, resolve('bin/svc.js'), dir], { cwd: dir, encoding: 'utf8' })
  t.equal(stdout, '0\n0\n2\n')
  t.equal(readFileSync(join(dir, 'err'), 'utf8'), '')
})

t.test('the tsconfig.json of the folder it is called in changes nothing', async (t) => {
  const dir = t.testdir({ 'tsconfig.json': '{"compilerOptions":{"experimentalDecorators":true,"target":"es5"}}' })
  t.match(await svc(['--version'], dir), { code: 0, stderr: '' })
})

t.test('svc plugins lists what runs and what does not, with reasons', async (t) => {
  const toml = '[plugins]\npreset = "standard"\ndisable = ["cors"]\n'
  const dir = t.testdir({ 'svc.toml': toml })
  const { io, stdout } = createTestIo(dir)
  t.equal(await main(['plugins'], io), 0)
  t.match(stdout(), /plugins run \(preset standard\):\n {2}postgres +\d+\.\d+\.\d+ +preset standard +\S/)
  t.match(stdout(), /left out:\n[\s\S]* {2}cors +`disable` under \[plugins\]/)
  const json = createTestIo(dir)
  t.equal(await main(['plugins', '--json', '--preset', 'minimal'], json.io), 0)
  const printed = JSON.parse(json.stdout())
  t.equal(printed.preset, 'minimal')
  t.ok(printed.plugins.every((plugin: { source: string }) => plugin.source === 'preset minimal'))
  const namesOf = (preset: Preset) => entriesOf(preset).map(({ manifest }) => manifest.name)
  const kept = new Set(namesOf(minimal))
  t.strictSame(
    printed.left.map((plugin: { name: string }) => plugin.name),
    namesOf(full).filter((name) => !kept.has(name)),
  )
  const none = createTestIo(t.testdir())
  t.equal(await main(['plugins'], none.io), 0, 'no svc.toml is needed')
})

t.test('svc plugins refuses the list that svc run refuses, behind the list', async (t) => {
  const lonely = `export default {
    manifest: { name: 'lonely', version: '1.0.0', kernelApi: 1, description: 'Needs another.', dependencies: ['friend'] },
    setup() {},
  }`
  const toml = '[[plugins.use]]\npath = "./lonely.mjs"\noptions = { extra = 1 }\n'
  const dir = t.testdir({ 'svc.toml': toml, 'lonely.mjs': lonely })
  for (const argv of [['plugins'], ['plugins', '--json']]) {
    const { io, stdout, stderr } = createTestIo(dir)
    t.equal(await main(argv, io), 2, argv.join(' '))
    t.match(stdout(), 'use ./lonely.mjs')
    t.match(stderr(), /"lonely" needs plugin "friend"[\s\S]*unknown option `extra`/)
  }
  const artifact = { requires: ['cors'] }
  const trimmed = t.testdir({
    'svc.toml': '[plugins]\npreset = "minimal"\n',
    'schema.compiled.json': JSON.stringify(artifact),
  })
  const { io, stderr } = createTestIo(trimmed)
  t.equal(await main(['plugins'], io), 2)
  t.match(stderr(), /cors/)
})

t.test('svc config shows values with their sources, and no secrets', async (t) => {
  const dir = t.testdir({ 'svc.toml': '[server]\nport = 81\n' })
  const { io, stdout } = createTestIo(dir, { DATABASE_URL: 'postgres://u:hunter22@h/x' })
  t.equal(await main(['config', '--host', '::1'], io), 0)
  t.match(stdout(), /^server\.port = 81 +# svc\.toml:2$/m)
  t.match(stdout(), /^server\.host = "::1" +# --host$/m)
  t.match(stdout(), /^database\.url = "postgres:\/\/h\/x" +# DATABASE_URL$/m)
  t.match(stdout(), /^database\.pool_max = 20 +# default$/m)
  const json = createTestIo(dir, { DATABASE_URL: 'postgres://u:hunter22@h/x' })
  t.equal(await main(['config', '--json'], json.io), 0)
  t.match(JSON.parse(json.stdout()), { server: { port: 81 }, database: { url: 'postgres://h/x' } })
  t.notMatch(stdout() + json.stdout(), /hunter22/)
})

t.test('svc config shows what stands under names of the operator', async (t) => {
  const dir = t.testdir({
    'svc.toml': [
      '[database]\nurl = "postgres://u:hunter22@h/x"',
      '[databases.crm]\nurl = "postgres://u:hunter22@h/crm"\npool_max = 7',
      '[svc.validation]\nemail = { required = true }\n',
    ].join('\n'),
  })
  const { io, stdout } = createTestIo(dir)
  t.equal(await main(['config'], io), 0)
  t.match(stdout(), /^databases\.crm\.url = "postgres:\/\/h\/crm" +# svc\.toml:4$/m)
  t.match(stdout(), /^databases\.crm\.pool_max = 7 +# svc\.toml:5$/m)
  t.match(stdout(), /^databases\.crm\.pool_min = 2 +# default$/m)
  t.match(stdout(), /^svc\.validation\.email = \{"required":true\} +# svc\.toml:7$/m)
  t.notMatch(stdout(), /hunter22/)
})

t.test('a variable of its own overrides the file: the message bus, persisted queries', async (t) => {
  const dir = t.testdir({
    'svc.toml': '[observers]\nenabled = true\nbackend = "msgbus"\nmsgbus_url = "nats://file:4222"\n',
  })
  const env = { SVC_MSGBUS_URL: 'nats://variable:4222', SVC_APQ_ENABLED: 'true' }
  const { io, stdout } = createTestIo(dir, env)
  t.equal(await main(['config', '--json'], io), 0)
  const { observers, svc } = JSON.parse(stdout())
  t.strictSame([observers.msgbus_url, svc.apq.enabled], ['[REDACTED]', true])
  const listed = createTestIo(dir, env)
  t.equal(await main(['config'], listed.io), 0)
  t.match(listed.stdout(), /^observers\.msgbus_url = .*# SVC_MSGBUS_URL$/m)
  t.match(listed.stdout(), /^svc\.apq\.enabled = true +# SVC_APQ_ENABLED$/m)
  const both = createTestIo(dir, { ...env, SVC_OBSERVERS__MSGBUS_URL: 'nats://long:4222' })
  t.equal(await main(['config'], both.io), 0)
  t.match(both.stdout(), /^observers\.msgbus_url = .*# SVC_OBSERVERS__MSGBUS_URL$/m, 'the name of the key wins')
})
