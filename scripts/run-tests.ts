/**
 * `npm test`: tap, and at the end every file that failed by its name. The terse reporter names what failed within a file;
 * of a file that was killed when its time was over it may print a number only.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listFailures } from './list-failures.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'svc-tests-'))
const output = join(folder, 'output.tap')
try {
  const args = ['--disable-coverage', '--reporter=terse', `--output-file=${output}`, ...process.argv.slice(2)]
  const { status, signal } = spawnSync(join(root, 'node_modules/.bin/tap'), args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.stderr.write(listFailures(readFileSync(output, 'utf8')))
  if (signal !== null) process.stderr.write(`tap itself was ended by ${signal}\n`)
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
