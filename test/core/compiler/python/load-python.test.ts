import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { loadSchema } from '../../../../core/compiler/load.ts'
import type { PythonOptions } from '../../../../core/compiler/python/python-options.ts'
import { printSchemaJson } from '../../../../core/compiler/write-schema-json.ts'
import { requirePython } from '../../../helpers/python.ts'

const POST = `import svc

@svc.type(sql_source="v_post")
class Post:
    id: svc.ID
`
const SCHEMA = `${POST}
@svc.query
def posts() -> list[Post]: ...

svc.export()
`

interface Loaded {
  readonly code: string
  readonly message: string
  readonly printed: string
  readonly types: readonly string[]
  readonly files: readonly string[]
}

/** Writes a project, and loads the schema module in it. */
async function load(
  t: Test,
  files: Readonly<Record<string, string>>,
  { module = 'schema.py', ...options }: PythonOptions & { readonly module?: string } = {},
): Promise<Loaded> {
  const folder = realpathSync(t.testdir())
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  let printed = ''
  const print = (text: string): void => {
    printed += text
  }
  const shown = (text: string): string =>
    text.replaceAll(`${relative(process.cwd(), folder)}/`, '').replaceAll(folder, '…')
  try {
    const { schema, files: found } = await loadSchema(join(folder, module), {
      baseDir: folder,
      python: { print, ...options },
    })
    const types = (schema.types ?? []).map(({ name }) => name)
    return { code: 'ok', message: '', printed, types, files: found.map((file) => relative(folder, file)).sort() }
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string }
    return { code, message: shown(message), printed: shown(printed), types: [], files: [] }
  }
}

/** A test that needs Python. */
const test = (name: string, body: (t: Test) => Promise<void>) =>
  t.test(name, async (t) => (requirePython(t) === null ? undefined : body(t)))

test('a module in Python gives the schema of its twin in TypeScript', async (t) => {
  const folder = 'test/authoring-corpus/types'
  const [python, typescript] = await Promise.all(
    ['schema.py', 'schema.ts'].map((file) => loadSchema(join(process.cwd(), folder, file))),
  )
  t.equal(printSchemaJson(python!.schema), printSchemaJson(typescript!.schema))
  t.equal(printSchemaJson(python!.schema), readFileSync(`${folder}/schema.json`, 'utf8'))
  const type = python!.schema.types?.find(({ name }) => name === 'Order')
  t.match(type?.$place, { file: join(process.cwd(), folder, 'schema.py'), line: Number })
  t.same(type?.fields[0]?.$place?.line, (type?.$place?.line ?? 0) + 2)
})

test('the modules of the author that were imported are known', async (t) => {
  const { files, types } = await load(t, {
    'schema.py': `from models.post import Post\nimport json, svc\n${SCHEMA.slice(POST.length)}`,
    'models/__init__.py': '',
    'models/post.py': POST,
    'other.py': '',
  })
  t.same(types, ['Post'])
  t.same(files, ['models/__init__.py', 'models/post.py', 'schema.py'])
})

test('what a module prints does not get into its schema', async (t) => {
  const noise = `import os, sys
print("to stdout")
print("to stderr", file=sys.stderr)
os.write(1, b"straight to the descriptor\\n")
`
  const { code, types, printed } = await load(t, { 'schema.py': `${noise}${SCHEMA}print("no newline", end="")` })
  t.same([code, types], ['ok', ['Post']])
  for (const text of ['to stdout\n', 'to stderr\n', 'straight to the descriptor\n', 'no newline'])
    t.match(printed, text)
  const failing = await load(t, { 'schema.py': `import sys\nsys.stderr.write("no newline")\nsvc\n` })
  t.match(failing, {
    code: 'SVC_SCHEMA_INVALID',
    message: /^schema.py:3:1: NameError: name 'svc'/,
    printed: 'no newline\n',
  })
})

test('endless output is cut', async (t) => {
  const text = `import sys\nfor i in range(40000): print("x" * 100)\nprint("y" * 5_000_000)\nsys.stderr.write("z" * 5_000_000)\n`
  const { code, printed } = await load(t, { 'schema.py': `${text}${SCHEMA}` })
  t.equal(code, 'ok')
  t.match(printed, /svc leaves out what .*schema\.py prints/)
  t.ok(printed.replace(/z/g, '').length < 1_100_000, `${printed.length}`)
})

test('errors have the line of the Python source, and all are reported', async (t) => {
  const { code, message } = await load(t, {
    'schema.py': `import svc

@svc.type(sql_sorce="v_post")
class Post:
    id: svc.ID
    author: "Athor"

@svc.type
class Author:
    id: svc.ID

svc.export()
`,
  })
  t.equal(code, 'SVC_SCHEMA_INVALID')
  const lines = message.split('\n')
  t.match(lines, [
    /^schema\.py:3:1: .*"sql_sorce".* Did you mean "sql_source"\?/,
    /^schema\.py:6:5: .*"Athor".* Did you mean "Author"\?/,
  ])
  t.equal(lines.length, 2)
})

test('a module that cannot run is an error with its line', async (t) => {
  const failing = async (text: string, message: RegExp, more: Readonly<Record<string, string>> = {}) => {
    const found = await load(t, { 'schema.py': text, ...more })
    t.match(found, { code: 'SVC_SCHEMA_INVALID', message }, text)
  }
  await failing('import svc\nclass Post\n', /^schema\.py:2:\d+: SyntaxError: /)
  await failing('import svc\n  x = 1\n', /^schema\.py:2:\d+: IndentationError: /)
  await failing('import svc\nimport modles\n', /^schema\.py:2:1: ModuleNotFoundError: No module named 'modles'/)
  await failing('import svc\nsvc.tpye\n', /^schema\.py:2:1: AttributeError: .*tpye/)
  await failing('import svc\nraise ValueError("größer\\nals")\n', /^schema\.py:2:1: ValueError: größer\nals/)
  await failing('import models\n', /^models\.py:3:5: ZeroDivisionError/, {
    'models.py': '\ndef f():\n    1 / 0\nf()\n',
  })
  await failing('import models\n', /^models\.py:1:\d+: SyntaxError/, { 'models.py': 'def f(:\n' })
  await failing('import svc\nnone = input("name? ")\n', /^schema\.py:2:1: EOFError/)
  await failing('def f(): f()\nf()\n', /^schema\.py:1:1: RecursionError/)
  await failing('\0', /^schema\.py:1:1: (?:SyntaxError|ValueError): /)
})

test('a module that ends without a schema is an error', async (t) => {
  const schema = (end: string): Readonly<Record<string, string>> => ({
    'schema.py': `import os, sys, svc\n${POST}${end}\n`,
  })
  t.match(await load(t, schema('os._exit(0)')), {
    code: 'SVC_SCHEMA_INVALID',
    message: /ended before it wrote a schema/,
  })
  const withText = schema('print("why", file=sys.stderr)\nsys.exit(3)')
  t.match(await load(t, withText), { message: /schema\.py: the module ended with exit code 3.*\nwhy$/s })
  t.match(await load(t, schema('import signal\nos.kill(os.getpid(), signal.SIGSEGV)')), { message: /ended by SIGSEGV/ })
  const foreign = schema('open(os.environ["SVC_SCHEMA_OUT"], "w").write("{,}")\nos._exit(0)')
  t.match(await load(t, foreign), { code: 'SVC_SCHEMA_INVALID', message: /a schema that is no JSON \(line 1/ })
  t.same((await load(t, schema('sys.exit(0)'))).types, ['Post'], 'sys.exit() without an error is an end like others')
  t.same((await load(t, schema(''))).types, ['Post'], 'svc.export() may be absent')
})

test('a module that does not end is stopped', async (t) => {
  const loop = await load(t, { 'schema.py': 'print("begun")\nwhile True: pass\n' }, { timeoutMs: 1500 })
  t.match(loop, { code: 'SVC_SCHEMA_INVALID', message: /did not end within 1\.5 seconds \(svc\.python_timeout_ms\)/ })
  t.equal(loop.printed, 'begun\n')
  const child = `import subprocess, sys\nsubprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"])\n${SCHEMA}`
  const began = Date.now()
  t.same((await load(t, { 'schema.py': child })).types, ['Post'])
  t.ok(Date.now() - began < 15_000, 'a process that the module started is not waited for')
})

test('names and paths may have any letters', async (t) => {
  const module = "ein Ordner mit Leerzeichen/schéma 'ü' $(x) \u65e5\u672c.py"
  const wrong = SCHEMA.replaceAll('Post', 'Größe')
  const found = await load(t, { [module]: wrong }, { module })
  t.match(found, { code: 'SVC_SCHEMA_INVALID', message: /日本\.py:3:1: .*"Größe"/ })
  const fine = SCHEMA.replace('Post:', 'Post:\n    size: int\n    "größe 日本 \\U0001f600"\n')
  t.same((await load(t, { [module]: fine }, { module })).types, ['Post'])
})

test('a file svc.py does not take the place of the package', async (t) => {
  const shadow = 'raise RuntimeError("the shadow was imported")\n'
  t.same((await load(t, { 'schema.py': SCHEMA, 'svc.py': shadow })).types, ['Post'])
  t.same((await load(t, { 'svc.py': SCHEMA }, { module: 'svc.py' })).types, ['Post'], 'as the schema itself')
  const folder = t.testdir({ 'svc.py': shadow })
  process.env.PYTHONPATH = folder
  t.teardown(() => delete process.env.PYTHONPATH)
  t.same((await load(t, { 'schema.py': SCHEMA })).types, ['Post'], 'also on PYTHONPATH')
})

test('the module sees no secrets, and what svc runs it with', async (t) => {
  const secrets = { H9_API_KEY: 'a', H9_TOKEN: 'b', DATABASE_URL: 'postgres://c', H9_URL: 'amqp://user:d@host' }
  Object.assign(process.env, secrets, { H9_TENANT: 'north', PYTHONINSPECT: '1' })
  t.teardown(() => {
    for (const name of [...Object.keys(secrets), 'H9_TENANT', 'PYTHONINSPECT']) delete process.env[name]
  })
  const text = `import os, sys\nprint(sorted(name for name in os.environ if name.startswith("H9_") or name == "DATABASE_URL"))
print(os.getcwd(), sys.argv, __name__)\n`
  const { printed } = await load(t, { 'api/schema.py': `${text}${SCHEMA}` }, { module: 'api/schema.py' })
  t.match(printed, /^\['H9_TENANT'\]\n\S+ \['\S+api\/schema\.py'\] __main__\n$/)
  t.notMatch(printed, /\/api \[/, 'it runs in the folder of the project')
})

test('no file is left', async (t) => {
  const found = await load(t, { 'schema.py': `import models\n${SCHEMA}`, 'models.py': '' })
  t.equal(found.code, 'ok')
  const folder = t.testdirName
  for (const file of ['__pycache__', 'schema.json']) t.notOk(existsSync(join(folder, file)), file)
})
