import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadSchema } from '../../../../core/compiler/load.ts'
import { requirePython } from '../../../helpers/python.ts'

const SCHEMA = 'import svc\n\n@svc.type\nclass Post:\n    id: svc.ID\n'

/** Writes a schema, and an interpreter that is a shell script. */
function project(t: Test, script?: string, path = '.venv/bin/python'): string {
  const folder = t.testdir({ 'schema.py': SCHEMA })
  if (script === undefined) return folder
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, path), 0o755)
  return folder
}

const load = (folder: string, interpreter?: string): Promise<{ readonly code: string; readonly message: string }> =>
  loadSchema(join(folder, 'schema.py'), {
    python: { print: () => {}, ...(interpreter === undefined ? {} : { interpreter }) },
  }).then(
    () => ({ code: 'ok', message: '' }),
    (error: { code: string; message: string }) => error,
  )

t.test('an interpreter that does not exist is an error that says how to name one', async (t) => {
  const folder = project(t)
  t.match(await load(folder, 'python-of-h9'), {
    code: 'SVC_PYTHON_MISSING',
    message: /Python 3\.10 or newer.*no command python-of-h9.*SVC_PYTHON or svc\.python/,
  })
  t.match(await load(folder, './bin/python'), {
    code: 'SVC_PYTHON_MISSING',
    message: /bin\/python, which does not exist/,
  })
  const { PATH } = process.env
  process.env.PATH = join(folder, 'empty')
  t.teardown(() => Object.assign(process.env, { PATH }))
  t.match(await load(folder), { code: 'SVC_PYTHON_MISSING', message: /no command python3 and python/ })
})

t.test('a program that is no Python is an error with its output', async (t) => {
  const folder = project(t, 'echo "pyenv: python: command not found" >&2; exit 127')
  t.match(await load(folder), {
    code: 'SVC_PYTHON_MISSING',
    message: /\.venv\/bin\/python does not run Python: pyenv: python: command not found\n.*SVC_PYTHON/,
  })
  t.match(await load(project(t, 'exit 4'), '.venv/bin/python'), { message: /does not run Python: it ends with 4/ })
})

t.test('a virtual environment without its interpreter is an error', async (t) => {
  const folder = t.testdir({ 'schema.py': SCHEMA, '.venv': { 'pyvenv.cfg': '', bin: {} } })
  symlinkSync('/gone/python3', join(folder, '.venv/bin/python'))
  t.match(await load(folder), {
    code: 'SVC_PYTHON_MISSING',
    message: /\.venv has lost its interpreter.*python3 -m venv/,
  })
})

t.test('the virtual environment beside the schema comes before PATH', async (t) => {
  const python = requirePython(t)
  if (python === null) return
  const folder = project(t, `echo venv >&2; exec ${python} "$@"`)
  let printed = ''
  const print = (text: string): void => {
    printed += text
  }
  await loadSchema(join(folder, 'schema.py'), { python: { print } })
  t.equal(printed, 'venv\n')
})

t.test('an old Python, and an environment without the package, are errors', async (t) => {
  const python = requirePython(t)
  if (python === null) return
  // The program that svc runs, with another version or without its package.
  const change = (code: string): string =>
    `shift; program="$1"; shift; exec ${python} -c "${code}\nexec(sys.argv.pop(1))" "$program" "$@"`
  const old = project(
    t,
    change(
      "import sys, collections; V = collections.namedtuple('V', 'major minor micro'); sys.version_info = V(3, 9, 2)",
    ),
  )
  t.match(await load(old), {
    code: 'SVC_PYTHON_MISSING',
    message: /needs Python 3\.10 or newer, and .*\(Python 3\.9\.2\) is older/,
  })
  const bare = project(t, change("import sys; sys.argv[3] = '/nowhere'"))
  t.match(await load(bare), { code: 'SVC_PYTHON_MISSING', message: /-m pip install svc-server-authoring/ })
})

t.test('the package of the environment comes before the bundled one', async (t) => {
  const python = requirePython(t)
  if (python === null) return
  const folder = t.testdir({
    'schema.py': SCHEMA,
    site: {
      svc: {
        '__init__.py': 'from pathlib import Path\nID = None\ntype = lambda cls: cls\n',
        '_export.py': '',
        '__main__.py': "print('the installed one')\n",
      },
    },
  })
  process.env.PYTHONPATH = join(folder, 'site')
  t.teardown(() => delete process.env.PYTHONPATH)
  let printed = ''
  const print = (text: string): void => {
    printed += text
  }
  await loadSchema(join(folder, 'schema.py'), { python: { print } }).catch(() => {})
  t.match(printed, /the installed one/)
})
