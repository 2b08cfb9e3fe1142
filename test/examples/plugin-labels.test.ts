import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { main } from '../../core/cli/main.ts'
import { createTestIo } from '../core/cli/helpers.ts'
import '../../examples/plugin-labels/test/labels.test.ts'

/** The whole of it from outside: a project that uses the plugin by its path, over the command line. */
const SCHEMA = `
import { authorFunction, ID, list, query, schemaKeys, String, type, field } from 'svc/authoring'
schemaKeys({ label_language: 'en' })
export const shout = authorFunction('labeller', 'shout', (text) => text.toUpperCase())
export const Account = type('Account', {
  sqlSource: 'v_account',
  extra: { label: 'Customer' },
  fields: { id: ID, full_name: field(String, { extra: { label: 'Name' } }) },
})
query('accounts', list(Account), {})
`
const TOML = `
[database]
url = "pglite:memory"
[[plugins.use]]
path = "./plugin-labels"
`

function project(t: Test, files: Readonly<Record<string, string>> = {}) {
  const dir = t.testdir({ 'svc.toml': TOML, 'schema.js': SCHEMA, ...files })
  cpSync(join(import.meta.dirname, '../../examples/plugin-labels'), join(dir, 'plugin-labels'), { recursive: true })
  return async (...argv: string[]) => {
    const { io, stdout, stderr } = createTestIo(dir)
    const code = await main(argv, io)
    return { code, stdout: stdout(), stderr: stderr() }
  }
}

t.test('svc compile and svc labels', async (t) => {
  const svc = project(t)
  const compiled = await svc('compile', 'schema.js', '--offline')
  t.match(compiled, { code: 0, stderr: '' })
  t.match(await svc('labels'), { code: 0, stdout: 'Account  CUSTOMER\n' })
  const json = await svc('labels', 'Account', '--json')
  t.same(JSON.parse(json.stdout), { Account: { label: 'CUSTOMER', fields: { full_name: 'NAME' } } })
  t.match(await svc('labels', 'Nothing'), { code: 1, stderr: 'There are no labels of Nothing.\n' })
  t.match(await svc('labels', '--config', 'nowhere.toml'), { code: 2, stderr: /nowhere\.toml/ })
})

t.test('help lists the command; a slip names the nearest', async (t) => {
  const svc = project(t)
  t.match((await svc('--help')).stdout, /Commands of plugins:\n(?: .*\n)* {2}labels \[TYPE\] {2,}Print the labels/)
  t.match(
    (await svc('labels', '--help')).stdout,
    /Usage: svc labels \[TYPE\] \[FLAGS\][\s\S]*--json[\s\S]*-c, --config FILE/,
  )
  t.match(await svc('labelz'), {
    code: 2,
    stderr: /no command "labelz"\. Did you mean "labels"\? Commands: .*, labels\./,
  })
  t.match(await svc('labels', '--jsn'), { code: 2, stderr: /"svc labels" has no flag --jsn\. Did you mean "--json"\?/ })
  const broken = project(t, { 'svc.toml': `${TOML}\n[server]\nprot = 1\n` })
  t.match((await broken('--help')).stdout, /Commands of plugins are not known, .* there is no key "prot"/)
  t.match(await broken('labels'), { code: 2, stderr: /no command "labels"[\s\S]*there is no key "prot"/ })
})

t.test('faults of the schema carry their place', async (t) => {
  const svc = project(t, {
    'schema.js': SCHEMA.replace("extra: { label: 'Customer' }", "extra: { lable: 'Customer' }"),
  })
  const { code, stderr } = await svc('compile', 'schema.js', '--offline')
  t.equal(code, 1)
  t.match(stderr, /schema\.js:5:\d+ {2}error {2}Type "Account": unknown key "lable"\. Did you mean "label"\?/)
  t.match(stderr, /warning {2}Type "Account" has no label/)
})

t.test('a function that is gone is a clear error', async (t) => {
  const svc = project(t)
  await svc('compile', 'schema.js', '--offline')
  writeFileSync(join(t.testdirName, 'schema.js'), SCHEMA.replace('export const shout', 'export const shouts'))
  t.match(await svc('labels'), {
    code: 1,
    stderr:
      /\.\/schema\.js has no export "shout" for the labeller shout\. Did you mean "shouts"\? Run `svc compile` again/,
  })
})

t.test('without the plugin nothing of it is known', async (t) => {
  const svc = project(t, { 'svc.toml': '[database]\nurl = "pglite:memory"\n' })
  const { code, stderr } = await svc('compile', 'schema.js', '--offline')
  t.equal(code, 1)
  t.match(stderr, /unknown key "label_language"/)
  t.match(
    stderr,
    /Function "shout" is of the kind "labeller", which no enabled plugin runs\. Kinds that are run: validator, /,
  )
  t.match(await svc('labels'), { code: 2, stderr: /no command "labels"/ })
})
