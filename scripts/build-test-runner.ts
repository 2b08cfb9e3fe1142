/**
 * Before `npm test`: `tap build`, which builds the test runner from the plugins in .taprc. It takes a quarter of a
 * minute each time, so it runs only after a change of its inputs.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
// Deleted with node_modules, like the built runner.
const stamp = join(root, 'node_modules/.cache/svc-test-runner')
const hash = createHash('sha256')
for (const file of ['.taprc', 'package-lock.json']) hash.update(readFileSync(join(root, file)))
const wanted = hash.digest('hex')

if (readStamp() !== wanted || !existsSync(join(root, '.tap/plugins'))) {
  execFileSync(join(root, 'node_modules/.bin/tap'), ['build'], { cwd: root, stdio: 'inherit' })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

function readStamp(): string | null {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}
