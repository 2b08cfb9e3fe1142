/**
 * `npm run fuzz`: runs every property test with new seeds and many times as many cases as `npm test`. Prints each
 * failure with its counterexample; the seed in the first line repeats the round.
 *
 *     npm run fuzz -- [--rounds=N] [--times=N] [--seed=N] [--jobs=N] [FILE|FOLDER|GLOB …]
 */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chooseFiles } from './tests/choose-files.ts'
import { runAll, summarize } from './tests/run-all.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const write = (text: string): void => void process.stdout.write(text)
const TIMEOUT_MS = 1_800_000
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '1' },
    times: { type: 'string', default: '20' },
    seed: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const began = performance.now()
const files = chooseFiles(root, positionals).filter(hasProperties)
if (files.length === 0) throw new Error('None of these test files has a property: no "fast-check" is named in them.')

for (let round = 1; round <= Number(values.rounds); round++) {
  const seed = values.seed ?? String(randomInt(1, 2 ** 31 - 1))
  write(`round ${round}: --seed=${seed} --times=${values.times}, ${files.length} files\n`)
  const env = { SVC_TEST_SEED: seed, SVC_TEST_TIMES: values.times }
  const results = await runAll(files, { jobs: Number(values.jobs), timeoutMs: TIMEOUT_MS, env, write })
  write(summarize(results, (performance.now() - began) / 1000))
  if (results.some(({ word }) => word !== 'passed')) process.exitCode = 1
}

/** The file itself, or a suite that it shares with others. */
function hasProperties(file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8')
  return /'fast-check'/.test(text) || /driver-suite/.test(text)
}
