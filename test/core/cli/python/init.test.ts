import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { main } from '../../../../core/cli/main.ts'
import { requirePython } from '../../../helpers/python.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { runTests } from '../dev/run-tests.ts'
import { createTestIo } from '../helpers.ts'

// Each project creates several embedded databases.
t.setTimeout(900_000)

for (const [template, database, tests] of [
  ['blog', 'sqlite', 2],
  ['crud', 'pglite', 2],
  ['multi-tenant', 'sqlite', 4],
  ['events', 'pglite', 1],
] as const) {
  t.test(`the template ${template} in Python declares the API of its twin, and its tests pass`, async (t) => {
    if (requirePython(t) === null) return
    const cwd = t.testdir({})
    const sdl = []
    for (const language of ['typescript', 'python']) {
      const flags = ['--template', template, '--database', database, '--language', language]
      const ran = await runCommand(cwd, 'init', language, ...flags)
      t.equal(ran.code, 0, ran.err)
      const compiled = await runCommand(join(cwd, language), 'compile', '--sdl')
      t.equal(compiled.code, 0, compiled.err)
      t.notMatch(compiled.err, /warning {2}/)
      sdl.push(readFileSync(join(cwd, language, 'schema.graphql'), 'utf8'))
    }
    t.equal(sdl[0], sdl[1])
    const report = await runTests(join(cwd, 'python'))
    t.match(report, `# pass ${tests}\n`)
    t.match(report, '# fail 0\n')
  })
}

t.test('svc init --language python', async (t) => {
  const python = requirePython(t)
  if (python === null) return
  const cwd = t.testdir({})
  const { out } = await runCommand(cwd, 'init', 'shop', '--language', 'python')
  const folder = join(cwd, 'shop')
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  t.match(out, 'Created shop:\n  svc.toml\n  schema.py\n  schema.json\n')
  t.match(read('svc.toml'), 'schema_file = "schema.py"')
  t.match(read('svc.toml'), '`public=True` in schema.py')
  t.match(read('.gitignore'), '\n.venv/\n__pycache__/\n')
  t.match(read('README.md'), '## Python\n')
  for (const file of readdirSync(folder, { recursive: true }).map(String))
    if (/\.(?:md|toml|json)$/.test(file)) t.notMatch(read(file), /schema\.ts/, file)
  t.notOk(existsSync(join(folder, '__pycache__')))
  const before = read('schema.json')
  t.equal((await runCommand(folder, 'compile')).code, 0)
  t.equal(read('schema.json'), before, 'schema.json is that of the schema')
  const check = 'import tomllib; tomllib.load(open("pyproject.toml", "rb"))'
  t.doesNotThrow(() =>
    execFileSync(python, ['-c', `import sys\nif sys.version_info >= (3, 11): ${check}`], { cwd: folder }),
  )

  writeFileSync(join(cwd, 'pyproject.toml'), 'mine')
  const joined = t.testdir({ own: { 'pyproject.toml': '[project]\n', '.gitignore': 'mine\n' } })
  t.equal((await runCommand(join(joined, 'own'), 'init', '--language', 'python')).code, 0)
  t.equal(readFileSync(join(joined, 'own/pyproject.toml'), 'utf8'), '[project]\n', 'an existing file is kept')
})

t.test('a machine without Python gets a project and a warning', async (t) => {
  const cwd = t.testdir({})
  const process = createTestIo(cwd, { SVC_PYTHON: 'python-of-h9' })
  t.equal(await main(['init', 'shop', '--language', 'python'], process.io), 0)
  t.match(process.stderr(), /^warning {2}schema\.json was not written: .*no command python-of-h9/)
  t.notOk(existsSync(join(cwd, 'shop/schema.json')))
  t.notMatch(process.stdout(), 'schema.json')
})

t.test('an unknown language is refused', async (t) => {
  const cwd = t.testdir({})
  const ran = await runCommand(cwd, 'init', 'shop', '--language', 'pyton')
  t.match(ran, { code: 2, err: /--language pyton is no language .*typescript, python\. Did you mean "python"\?/ })
  t.notOk(existsSync(join(cwd, 'shop')))
})
