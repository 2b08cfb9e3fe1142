/**
 * `node --import ./scripts/tests/loader/register.js FILE`: runs our TypeScript in a test. tsx does the same for everybody
 * else; it looks at every JavaScript module too, and that is most of what a short test costs.
 */
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

process.setSourceMapsEnabled(true)
// An embedded database lives for seconds here: to make its code faster takes longer than to run it, and 80 MB.
setFlagsFromString('--liftoff-only')
const { SVC_TEST_COVERAGE: counted } = process.env
if (counted !== undefined) (await import('./count-coverage.js')).countCoverage(counted)
// scripts/tests/group: several files in this process.
const isGroup = /[\\/]scripts[\\/](?:tests[\\/]group[\\/]main|mutation[\\/]host)\.ts$/.test(process.argv[1] ?? '')
const grouped = isGroup ? JSON.parse(process.env.SVC_TEST_GROUP).map((file) => pathToFileURL(resolve(file)).href) : []
register('./hooks.js', import.meta.url, { data: { grouped } })

// What calls `process.exit()` takes the tests behind it away, and tap counts those that it has seen: a file is through when
// nothing is left to do. Not of processes that a test starts, which have its environment.
if (isMainThread && process.env.TAP_CHILD_KEY !== undefined && (isGroup || /\.test\.ts$/.test(process.argv[1] ?? ''))) {
  let isThrough = false
  process.once('beforeExit', () => (isThrough = true))
  process.once('exit', (code) => {
    if (isThrough || code !== 0) return
    process.stderr.write('process.exit() ended this test file before it was through.\n')
    process.exitCode = 1
  })
}
