/**
 * `npm test`: runs the test files in parallel processes. For a failed file it prints the failed assertions with the
 * compared values.
 *
 *     npm test -- [--jobs=N] [--timeout=SECONDS] [--timings=FILE] [FILE|FOLDER|GLOB …]
 *
 * `--timings` writes a line per file, the longest first: seconds, assertions, name.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chooseFiles } from './tests/choose-files.ts'
import { describeTimings, isBad, runAll, summarize } from './tests/run-all.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const write = (text: string): void => void process.stdout.write(text)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: String(availableParallelism()) },
    timeout: { type: 'string', default: '120' },
    timings: { type: 'string' },
  },
})
const began = performance.now()
const files = chooseFiles(root, positionals)
const results = await runAll(files, { jobs: toNumber('jobs'), timeoutMs: toNumber('timeout') * 1000, write })
write(summarize(results, (performance.now() - began) / 1000))
if (values.timings !== undefined) writeFileSync(values.timings, describeTimings(results))
process.exitCode = results.some(({ word }) => isBad(word)) ? 1 : 0

function toNumber(name: 'jobs' | 'timeout'): number {
  const number = Number(values[name])
  if (!(number >= 1)) throw new Error(`--${name} is a number from 1, not ${values[name]}.`)
  return number
}
