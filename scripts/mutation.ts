/**
 * `npm run mutation -- [--room=NAME …] [--sample=N] [--seed=N] [--jobs=N] [--record] [--again]`: applies Stryker's
 * mutants to the security folders (`scripts/mutation/rooms.ts`), and checks whether a test detects them.
 *
 * Without `--sample` all mutants of a folder run, which takes a night. `--record` writes the result into
 * `scripts/mutation/results.json`, which `npm run docs` shows; `--again` runs only the survivors recorded there.
 * Exits with 1 if the score of a folder is below 85.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { explain } from './mutation/explained.ts'
import { judgeRoom } from './mutation/judge-room.ts'
import { shorten } from './mutation/made-mutant.ts'
import { keyOf, readResults, resultAgain, resultOf, scoreOf, writeResults } from './mutation/results.ts'
import { ROOMS } from './mutation/rooms.ts'

const BOUND = 85
const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true },
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    record: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const unknown = (values.room ?? []).filter((name) => !ROOMS.some((room) => room.name === name))
if (unknown.length > 0) {
  throw new Error(`There is no room ${unknown.join(', ')}. Rooms: ${ROOMS.map(({ name }) => name).join(', ')}.`)
}

for (const room of ROOMS.filter(({ name }) => values.room?.includes(name) ?? true)) {
  const before = readResults()[room.name]
  if (values.again && before === undefined)
    throw new Error(`No result of ${room.name} is recorded: run it with --record.`)
  const again = values.again ? before : undefined
  const wanted = new Set(again?.survived.map(keyOf))
  const seed = toNumber('seed')
  const began = performance.now()
  const judged = await judgeRoom(room, {
    sample: again === undefined ? toNumber('sample') : Number.POSITIVE_INFINITY,
    seed,
    jobs: toNumber('jobs'),
    ...(again === undefined ? {} : { only: ({ key }) => wanted.has(key) }),
    say: (line) => {
      if (values.verbose || line.startsWith('left out')) say(`  ${line}`)
    },
  })
  const found = resultOf(judged.mutants, seed, judged.verdicts)
  const result = again === undefined ? found : resultAgain(again, found)
  const minutes = (performance.now() - began) / 60_000
  say(
    `${room.folder}: ${scoreOf(result).toFixed(0)} % of ${result.sampled} (of ${result.mutants} mutants, seed ${result.seed}): ` +
      `${result.killed} killed, ${result.timedOut} timed out, ${result.survived.length} survived, ${minutes.toFixed(1)} min`,
  )
  for (const { mutant, word } of judged.verdicts) {
    if (word !== 'survived' && word !== 'uncovered') continue
    const { file, line, original, replacement } = mutant
    const why = explain(mutant)
    say(`  ${word} ${file}:${line}  ${shorten(original)}  →  ${shorten(replacement)}`)
    if (why !== null) say(`    ${why}`)
  }
  if (scoreOf(result) < BOUND) process.exitCode = 1
  if (values.record) writeResults({ ...readResults(), [room.name]: result })
}

function toNumber(name: 'sample' | 'seed' | 'jobs'): number {
  const number = Number(values[name])
  if (!(number >= 1)) throw new Error(`--${name} is a number from 1, not ${values[name]}.`)
  return number
}
