import { spawnSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { listSamples } from '../../scripts/options/samples.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const pyright = createRequire(import.meta.url).resolve('pyright/index.js')

interface Report {
  readonly generalDiagnostics: readonly {
    readonly severity: string
    readonly message: string
    readonly file: string
    readonly range: { readonly start: { readonly line: number } }
  }[]
  readonly summary: { readonly filesAnalyzed: number }
}

/**
 * Runs pyright in a folder.
 * @param level empty: the folder has its own configuration
 * @returns errors as `file:line message`, and the number of files
 */
function check(folder: string, level: string): { readonly errors: readonly string[]; readonly files: number } {
  const config = { extraPaths: [`${ROOT}python`], pythonVersion: '3.10', typeCheckingMode: level, include: ['.'] }
  if (level !== '') writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(config))
  const { stdout, stderr } = spawnSync(process.execPath, [pyright, '--outputjson', '-p', folder], { encoding: 'utf8' })
  if (!stdout.startsWith('{')) throw new Error(stderr + stdout)
  const { generalDiagnostics, summary } = JSON.parse(stdout) as Report
  const errors = generalDiagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ file, range, message }) => `${file.replace(/^.*\//, '')}:${range.start.line + 1} ${message}`)
  return { errors, files: summary.filesAnalyzed }
}

t.test('pyright finds nothing in the package', { timeout: 120_000 }, async (t) => {
  const { errors, files } = check(`${ROOT}python`, '')
  t.strictSame(errors, [])
  t.ok(files > 20, `${files} files`)
})

t.test('schemas are clean in the strict mode of pyright', { timeout: 120_000 }, async (t) => {
  const folder = t.testdir()
  for (const { name, python } of listSamples())
    copyFileSync(ROOT + python, join(folder, `${name.replace('-', '_')}.py`))
  const { errors, files } = check(folder, 'strict')
  t.strictSame(errors, [])
  t.ok(files >= 9, `${files} files`)
})

t.test('a wrong option is an error of the type checker', { timeout: 120_000 }, async (t) => {
  const lines = [
    'from typing import Annotated',
    'import svc',
    '@svc.type(relay="yes")',
    'class User:',
    '    a: Annotated[str, svc.field(colum="x")]',
    '    b: Annotated[str, svc.field(relation={"form": "a", "to": "b"})]',
    '@svc.query(sql_sorce="v_user")',
    'def users() -> "list[User]": ...',
    '@svc.query(auto_params={"orderBy": True})',
    'def others() -> "list[User]": ...',
    'svc.validate(min_length="x")',
    'svc.RetryConfig(backoff_strategy="random")',
  ]
  const { errors } = check(t.testdir({ 'schema.py': lines.join('\n') }), 'standard')
  const wrong = new Set(errors.map((error) => Number(error.split(/[: ]/)[1])))
  t.strictSame(
    [...wrong].sort((a, b) => a - b),
    [3, 5, 6, 7, 9, 11, 12],
    errors.join('\n'),
  )
})
