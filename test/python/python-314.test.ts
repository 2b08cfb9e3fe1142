import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadPyodide } from 'pyodide'
import t from 'tap'
import { listSamples } from '../../scripts/options/samples.ts'

/** Python 3.14 evaluates annotations late. Distributions do not have it yet, so it runs as WebAssembly. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FUTURE = 'from __future__ import annotations\n'

const RUN = `
import contextlib, io, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, HOST + ROOT + "python")
os.environ["SVC_SCHEMA_OUT"] = HOST + OUT
import svc
from svc.__main__ import main
errors = io.StringIO()
with svc.fresh_registry(), contextlib.redirect_stderr(errors):
    try:
        code = main([HOST + SCRIPT])
    except SystemExit as end:
        code = end.code
f"{code} {errors.getvalue()}"
`

// Its own search follows its source map to a folder that does not exist.
const indexURL = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
const python = await loadPyodide({ indexURL })
python.FS.mkdirTree('/host')
python.FS.mount(python.FS.filesystems.NODEFS, { root: '/' }, '/host')

function run(script: string, out: string): string {
  for (const [name, value] of Object.entries({ HOST: '/host', ROOT, OUT: out, SCRIPT: script }))
    python.globals.set(name, value)
  return python.runPython(RUN) as string
}

t.test('it is Python 3.14 or newer', async (t) => {
  const version = python.runPython('import sys; sys.version_info[1]') as number
  t.ok(version >= 14, `3.${version}`)
})

t.test('every sample, with and without the future import', async (t) => {
  const folder = t.testdir()
  for (const { name, python: file, json } of listSamples()) {
    const expected = readFileSync(ROOT + json, 'utf8')
    const source = readFileSync(ROOT + file, 'utf8')
    t.ok(source.startsWith(FUTURE), file)
    for (const text of [source, source.replace(FUTURE, '')]) {
      writeFileSync(`${folder}/schema.py`, text)
      t.equal(run(`${folder}/schema.py`, `${folder}/out.json`), '0 ', `${name}: no errors`)
      t.equal(readFileSync(`${folder}/out.json`, 'utf8'), expected, name)
    }
  }
})

t.test('names that are not declared, all at once', async (t) => {
  const lines = [
    'from typing import Annotated',
    'import svc',
    '@svc.type',
    'class User:',
    '    posts: list[Pots]',
    '    best: Annotated[Pots | None, svc.field(colum="x")]',
    '@svc.type',
    'class Post:',
    '    author: User',
    '@svc.query',
    'def users(id: Idd) -> list[Usr]: ...',
  ]
  const folder = t.testdir({ 'schema.py': lines.join('\n') })
  const said = run(`${folder}/schema.py`, `${folder}/out.json`).replaceAll(/\S*\/schema\.py/g, 'schema.py')
  t.match(said, /^1 schema\.py:5:5: field "User\.posts": type "Pots" is not declared\. Did you mean "Post"\?\n/)
  t.match(said, /schema\.py:6:5: field "User\.best" has no option "colum"\. Did you mean "column"\?/)
  t.match(said, /schema\.py:10:1: the result of query "users": type "Usr" is not declared\. Did you mean "User"\?/)
  t.match(said, /schema\.py:10:1: argument "id" of query "users": type "Idd" is not declared\./)
})
