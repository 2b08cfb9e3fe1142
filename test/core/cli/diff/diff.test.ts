import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { printCompiledSchema } from '../../../../core/compiler/emit.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { compileArtifact } from '../../../helpers/compile-fixture.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { listFiles, read } from '../../../repo/source-files.ts'
import { ordersSchema } from '../../../schemas/orders.ts'

const field = (name: string, type: string) => ({ name, type })
const CREATES = { name: 'createOrder', type: 'Order!', sql_source: 'fn_create_order', operation: 'CREATE' } as const
const schema = (fields: readonly ReturnType<typeof field>[]): AuthoredSchema =>
  ordersSchema({ mutations: [CREATES] }, [field('id', 'ID!'), ...fields])
const OLD = schema([field('title', 'String!'), field('year', 'Int')])
const LESS = schema([field('title', 'String!')])
const MORE = schema([field('title', 'String!'), field('year', 'Int'), field('label', 'String')])

function write(folder: string, name: string, authored: AuthoredSchema): void {
  writeFileSync(join(folder, name), printCompiledSchema(compileArtifact(authored, null)))
}

function setUp(
  t: typeof import('tap').t,
  files: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {},
): string {
  const folder = t.testdir(files)
  write(folder, 'old.json', OLD)
  write(folder, 'less.json', LESS)
  write(folder, 'more.json', MORE)
  return folder
}

t.test('a removed field breaks every group of clients', async (t) => {
  const folder = setUp(t as never)
  const { code, out } = await runCommand(folder, 'diff', 'old.json', 'less.json')
  t.equal(code, 1)
  t.match(out, / {2}breaking {3}Order\.year: Order\.year was removed\./)
  t.match(out, /REST\n {2}breaking {3}GET \/orders/)
  t.match(out, /MCP\n {2}breaking {3}createOrder: output/)
  t.match(out, /Events\n {2}breaking {3}entity Order: year/)
  t.match(out, /^\d+ breaking, \d+ dangerous, \d+ safe\.$/m)
})

t.test('an added field breaks nothing; --quiet prints no safe change', async (t) => {
  const folder = setUp(t as never)
  const { code, out } = await runCommand(folder, 'diff', 'old.json', 'more.json', '--fail-on', 'dangerous')
  t.equal(code, 0, out)
  t.match(out, 'Order.label was added')
  const quiet = await runCommand(folder, 'diff', 'old.json', 'more.json', '--quiet')
  t.match(quiet.out, /^0 breaking, 0 dangerous, \d+ safe\.\n$/)
  const same = await runCommand(folder, 'diff', 'old.json', 'old.json')
  t.equal(same.out, '0 breaking, 0 dangerous, 0 safe.\n')
})

t.test('--only, --fail-on and --json', async (t) => {
  const folder = setUp(t as never)
  const { code, out } = await runCommand(folder, 'diff', 'old.json', 'less.json', '--only', 'mcp', '--json')
  t.equal(code, 1)
  const document = JSON.parse(out)
  t.match(document, { ok: false, breaking: Number, dangerous: 0, skipped: [] })
  t.ok(document.changes.every((change: { consumers: string }) => change.consumers === 'mcp'))
  t.equal((await runCommand(folder, 'diff', 'old.json', 'less.json', '--fail-on', 'none')).code, 0)
  const wrong = await runCommand(folder, 'diff', 'old.json', 'less.json', '--only', 'soap')
  t.equal(wrong.code, 2)
  t.match(wrong.err, '--only is one of: graphql, rest, mcp, events')
  t.match((await runCommand(folder, 'diff', 'old.json', 'none.json')).err, 'There is no schema or project at')
})

t.test('the configuration decides what is served', async (t) => {
  const folder = setUp(t as never, { 'svc.toml': '[plugins]\ndisable = ["rest"]\n' })
  const { out } = await runCommand(folder, 'diff', 'old.json', 'less.json')
  t.match(out, 'Not served, so not compared: REST, MCP.')
  const only = await runCommand(folder, 'diff', 'old.json', 'less.json', '--only', 'mcp')
  t.equal(only.code, 1, 'a named group is compared, served or not')
})

t.test('sources and folders are compiled in memory', async (t) => {
  const folder = setUp(t as never, {
    'schema.json': JSON.stringify(LESS),
    project: { 'svc.toml': '[svc]\nschema_file = "schema.json"\n', 'schema.json': JSON.stringify(LESS) },
  })
  for (const now of ['schema.json', 'project']) {
    const { code, out, err } = await runCommand(folder, 'diff', 'old.json', now, '--only', 'graphql')
    t.equal(code, 1, err)
    t.match(out, 'Order.year was removed')
  }
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema([field('title', 'Sting!')])))
  const broken = await runCommand(folder, 'diff', 'old.json', 'schema.json')
  t.equal(broken.code, 1)
  t.match(broken.err, /schema\.json does not compile:\n.*schema\.json:1: /)
})

t.test('every rule has a test', async (t) => {
  const tests = listFiles('test/core/cli/diff', '.ts').map(read).join('\n')
  const rules = listFiles('core/cli/diff', '.ts')
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)])
    .map(([, rule]) => rule!)
    .filter((rule) => !rule.startsWith('SVC_'))
  t.ok(rules.length > 50)
  for (const rule of new Set(rules)) t.ok(tests.includes(`'${rule}'`), rule)
})
