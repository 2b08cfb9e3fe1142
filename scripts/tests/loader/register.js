/**
 * `node --import ./scripts/tests/loader/register.js FILE`: runs the project's TypeScript in a test. tsx also does,
 * but it inspects every JavaScript module, which is most of the cost of a short test.
 */
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

process.setSourceMapsEnabled(true)
// An embedded database lives for seconds here: optimising its code takes longer than running it, and 80 MB.
setFlagsFromString('--liftoff-only')
const { SVC_TEST_COVERAGE: counted } = process.env
if (counted !== undefined) (await import('./count-coverage.js')).countCoverage(counted)
// scripts/tests/group: several files in this process.
const isGroup = /[\\/]scripts[\\/](?:tests[\\/]group[\\/]main|mutation[\\/]host)\.ts$/.test(process.argv[1] ?? '')
const grouped = isGroup ? JSON.parse(process.env.SVC_TEST_GROUP).map((file) => pathToFileURL(resolve(file)).href) : []
register('./hooks.js', import.meta.url, { data: { grouped } })

// `process.exit()` would drop the remaining tests, and tap counts only finished ones: a file is through when it has
// no work left. This excludes processes that a test starts, which inherit its environment.
if (isMainThread && process.env.TAP_CHILD_KEY !== undefined && (isGroup || /\.test\.ts$/.test(process.argv[1] ?? ''))) {
  let isThrough = false
  process.once('beforeExit', () => (isThrough = true))
  process.once('exit', (code) => {
    if (isThrough || code !== 0) return
    process.stderr.write('process.exit() ended this test file before it was through.\n')
    process.exitCode = 1
  })
}
