import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Command } from '../../../core/cli/command/command.ts'
import { JSON_FLAG } from '../../../core/cli/command/json-output.ts'
import { loadCommands } from '../../../core/cli/main.ts'
import { describeCommand } from '../../../core/cli/plugins/plugin-commands.ts'
import { listManifests } from '../../../scripts/docs/config-sections.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { SMALL, writeProject } from '../../helpers/open-project.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'

/** Commands without the flag, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  run: 'what it prints is a log, whose form is SVC_LOG_FORMAT',
  serve: 'what it prints is for people; it ends when it is stopped',
  dev: 'what it prints is for people; it ends when it is stopped',
  completion: 'what it prints is for a shell',
}

/** How each command is called so that it does its work, and what its document has. */
const CALLS: Readonly<Record<string, readonly (readonly [argv: readonly string[], has: object])[]>> = {
  init: [[['shop'], { files: Array, next: ['cd shop', 'npm install', 'npx svc compile', 'npx svc run'] }]],
  introspect: [
    [[], { schema: Object, left_out: Array, renamed: Array, written: [] }],
    [['--output', 'proposal'], { written: ['proposal/schema.ts'] }],
  ],
  compile: [
    [
      ['--sdl'],
      { ok: true, errors: [], catalog: true, counts: { types: 1 }, written: [/compiled\.json$/, /graphql$/] },
    ],
    [['--check'], { ok: true, stale: [], written: [] }],
  ],
  diff: [
    [
      ['schema.compiled.json', 'schema.compiled.json'],
      { ok: true, breaking: 0, dangerous: 0, safe: 0, changes: [], skipped: [] },
    ],
  ],
  generate: [[['--client', 'typescript', '-o', 'client.ts'], { ok: true, client: 'typescript', written: true }]],
  config: [[[], { database: { url: String }, server: { port: Number } }]],
  doctor: [[[], { ok: true, checks: Array }]],
  tables: [
    [[], { tables: [{ name: 'svc_idempotency' }, { name: 'svc_api_keys', purpose: String, sql: /^CREATE TABLE/ }] }],
    [['--apply'], { tables: [{ name: 'svc_idempotency' }, { name: 'svc_api_keys', made: true }] }],
    [['--apply'], { tables: [{ name: 'svc_idempotency' }, { name: 'svc_api_keys', made: false }] }],
  ],
  plugins: [
    [[], { plugins: Array, left: Array }],
    [['--hooks'], { hooks: Object }],
  ],
  routes: [[[], [{ method: 'GET', path: '/rest/v1/relations' }]]],
  openapi: [
    [[], { openapi: '3.0.3' }],
    [['-o', 'openapi.json'], { written: 'openapi.json', routes: Number }],
  ],
  keys: [
    [['create', '--name', 'billing', '--scopes', 'read:*'], { id: String, name: 'billing', key: /^svc_/ }],
    [['list'], [{ name: 'billing', revokedAt: null }]],
  ],
  'validate-documents': [[['documents.json'], { valid: true, documents: 0, faults: [] }]],
  explain: [[['{ relations { name } }'], { sql: String, warnings: Array }]],
  cost: [[['{ relations { name } }'], { complexity: Number, allowed: true }]],
  mcp: [[['check'], { tools: Array, tokens: Number }]],
  advise: [[[], { ok: true, advice: Array, ignored: [], unused_ignores: [], notes: Array }]],
  db: [
    [['apply'], { applied: [], dry_run: false, baseline: false }],
    [['apply', '--status'], { files: [] }],
  ],
  plugin: [
    [
      ['new', 'greeting'],
      { written: ['plugins/greeting.ts', 'test/greeting.test.ts', 'svc.toml'], route: '/greeting' },
    ],
  ],
  events: [[['triggers', 'Relation', 'pg_class'], { entity: 'Relation', table: 'pg_class', sql: String }]],
}

/** Each is refused, by the command or before it begins. */
const REFUSED: readonly (readonly [argv: readonly string[], code: string])[] = [
  [['compile', '--watch'], 'SVC_USAGE'],
  [['init', '--database', 'oracle'], 'SVC_USAGE'],
  [['keys', 'revoke', 'nobody'], 'NOT_FOUND'],
  [['keys', 'create'], 'SVC_USAGE'],
  [['validate-documents', 'nowhere.json'], 'SVC_CONFIG_INVALID'],
  [['cost', '{ relations { name } }', '--max-cost', 'x'], 'SVC_USAGE'],
  [['doctor', '--bogus'], 'SVC_USAGE'],
  [['nonsense'], 'SVC_USAGE'],
]

const all = async (): Promise<readonly Omit<Command, 'run'>[]> => [
  ...(await loadCommands()),
  ...listManifests().flatMap(({ commands = [] }) => commands.map(describeCommand)),
]

t.test('every command has it, or a reason not to', async (t) => {
  for (const { name, options } of await all()) {
    const flag = options.find((option) => option.name === 'json')
    if (Object.hasOwn(WITHOUT, name)) t.equal(flag, undefined, `${name} has none: ${WITHOUT[name]}`)
    else t.same(flag, JSON_FLAG, `svc ${name} --json`)
  }
  const names = (await all()).map(({ name }) => name).filter((name) => !Object.hasOwn(WITHOUT, name))
  t.same(Object.keys(CALLS).toSorted(), names.toSorted(), 'each is called below')
})

t.test('the output is one document, also for failures', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = t.testdir({ 'documents.json': '{}', db: {} })
  writeProject(
    folder,
    `[plugins]\npreset = "full"\n[database]\nurl = "${await createPostgresDatabase(t, { sql: 'CREATE TABLE note (id int PRIMARY KEY, body text)' })}"\n` +
      '[security]\ndefault_policy = "public"\n[security.api_keys]\nenabled = true\n' +
      '[security.trusted_documents]\nenabled = true\nmanifest_path = "documents.json"\n[svc.mcp]\nenabled = true\nrequire_auth = false\n' +
      '[observers]\nenabled = true\nbackend = "sqldb"\n',
  )
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(SMALL))
  for (const [name, calls] of Object.entries(CALLS)) {
    for (const [argv, has] of calls) {
      const { code, out, err } = await runCommand(folder, name, ...argv, '--json')
      t.equal(code, 0, `svc ${name} ${argv.join(' ')}\n${err}`)
      t.match(JSON.parse(out), has, `svc ${name} ${argv.join(' ')}`)
    }
  }
  for (const [argv, code] of REFUSED) {
    const ran = await runCommand(folder, ...argv, '--json')
    t.not(ran.code, 0, argv.join(' '))
    t.match(JSON.parse(ran.out), { error: { code, message: /\w{3}/ } }, argv.join(' '))
    t.match(ran.err, /^error: /, 'people read it as ever')
  }
  writeFileSync(join(folder, 'schema.json'), JSON.stringify({ ...SMALL, queries: [{ name: 'x', type: 'Nope' }] }))
  const broken = await runCommand(folder, 'compile', '--json')
  t.match(broken, { code: 1, err: '' })
  t.match(JSON.parse(broken.out), { ok: false, errors: [{ id: 'unknown-type', message: /Nope/ }], written: [] })
  t.match(await runCommand(folder, 'compile'), { code: 1, out: '' }, 'without it stdout has no JSON')
  writeFileSync(join(folder, 'svc.toml'), '[sever]\nport = 1\n')
  for (const name of Object.keys(CALLS).filter((one) => one !== 'init' && one !== 'plugin')) {
    const { code, out } = await runCommand(
      folder,
      name,
      '--json',
      ...(name === 'explain' || name === 'cost' ? ['{ x }'] : []),
    )
    t.not(code, 0, name)
    if (name === 'doctor') t.match(JSON.parse(out), { ok: false })
    else t.match(JSON.parse(out), { error: { code: String } }, name)
  }
})
