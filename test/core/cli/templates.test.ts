import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { examinePackages } from '../../../core/cli/doctor/examine-packages.ts'
import { loadProject } from '../../../core/cli/project/load-project.ts'
import type { CompiledSchema } from '../../../core/schema/compiled.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { runTests } from './dev/run-tests.ts'
import { createTestIo } from './helpers.ts'

// Each project creates several embedded databases.
t.setTimeout(900_000)

for (const [template, database, tests] of [
  ['blog', 'pglite', 2],
  ['crud', 'pglite', 2],
  ['crud', 'sqlite', 2],
  ['multi-tenant', 'pglite', 4],
  ['multi-tenant', 'sqlite', 4],
  ['events', 'pglite', 1],
] as const) {
  t.test(`the project of template ${template} with ${database} compiles, and its tests pass`, async (t) => {
    const cwd = t.testdir({})
    const ran = await runCommand(cwd, 'init', 'shop', '--template', template, '--database', database)
    t.equal(ran.code, 0, ran.err)
    const folder = join(cwd, 'shop')
    const compiled = await runCommand(folder, 'compile')
    t.equal(compiled.code, 0, compiled.err)
    t.notMatch(compiled.err, /warning {2}/)
    const report = await runTests(folder)
    t.match(report, `# pass ${tests}\n`)
    t.match(report, '# fail 0\n')
    t.notOk(existsSync(join(folder, '.env')))

    const project = await loadProject({}, createTestIo(folder).io)
    const schema = JSON.parse(readFileSync(project.artifact, 'utf8')) as CompiledSchema
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: object }
    const areAbsent = (names: readonly string[]) => names.filter((name) => !(name in dependencies))
    t.match(
      examinePackages(project.list.listed, schema, areAbsent),
      { state: /^ok$/ },
      'package.json has what plugins need',
    )
    const driver = database === 'pglite' ? '@electric-sql/pglite' : 'node-sqlite3-wasm'
    t.ok(driver in dependencies, `package.json has ${driver}`)
  })
}

t.test('svc init names its templates, and the nearest one to an unknown name', async (t) => {
  const cwd = t.testdir({})
  t.match((await runCommand(cwd, 'init', '--help')).out, 'blog, crud, multi-tenant, events')
  for (const [args, message] of [
    [['--template', 'multitenant'], 'There is no template "multitenant". Did you mean "multi-tenant"?'],
    [['--template', 'events', '--database', 'sqlite'], 'The template "events" cannot use sqlite'],
    [['--template', 'crud', '--database', 'postgres://localhost/shop'], 'take one of them'],
    [['--docker', '--database', 'sqlite'], 'compose.yaml with a PostgreSQL server'],
  ] as const) {
    const ran = await runCommand(cwd, 'init', 'shop', ...args)
    t.equal(ran.code, 2)
    t.match(ran.err, message)
    t.notOk(existsSync(join(cwd, 'shop')), 'no folder is created')
  }
})

t.test('svc init --docker copies the files of the guides', async (t) => {
  const cwd = t.testdir({})
  t.equal((await runCommand(cwd, 'init', 'shop', '--docker')).code, 0)
  for (const [file, source] of [
    ['Dockerfile', 'deploy/docker/Dockerfile'],
    ['.dockerignore', 'deploy/docker/.dockerignore'],
    ['compose.yaml', 'deploy/compose/compose.yaml'],
  ] as const) {
    t.equal(readFileSync(join(cwd, 'shop', file), 'utf8'), readFileSync(source, 'utf8'))
  }
})
