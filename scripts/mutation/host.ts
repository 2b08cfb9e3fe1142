/**
 * Runs one test file again and again in one process, each time with another mutant switched on: what the file imports is
 * loaded once. `SVC_TEST_GROUP` has the file, `SVC_MUTATION_RUNS` the ids, `""` for none. Tells the parent of each run.
 */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { FILES } from '../tests/group/files.js'

/** One run of the file. */
export interface HostMessage {
  readonly run: number
  readonly ok: boolean
  /** Mutants that ran since the run before it. */
  readonly ran: readonly string[]
}
interface Switches {
  activeMutant?: string | null
  mutantCoverage?: { static: Record<string, number> }
}

const [file] = JSON.parse(process.env.SVC_TEST_GROUP!) as [string]
const runs = JSON.parse(process.env.SVC_MUTATION_RUNS!) as readonly string[]
const url = pathToFileURL(resolve(file)).href
const everywhere = globalThis as { __stryker__?: Switches }
everywhere.__stryker__ ??= {}
const switches = everywhere.__stryker__

for (const [run, id] of runs.entries()) {
  switches.activeMutant = id === '' ? null : id
  // For the processes that the tests start.
  process.env.__STRYKER_ACTIVE_MUTANT__ = id
  const result = await t.test(`${file} ${run}`, { timeout: 0 }, async (sub) => {
    const again = `${url}?run=${run}`
    FILES.set(again, sub)
    await import(again)
    await idle(sub)
  })
  const counted = switches.mutantCoverage
  const ran = Object.keys(counted?.static ?? {})
  if (counted !== undefined) counted.static = {}
  process.send!({ run, ok: result?.ok === true, ran } satisfies HostMessage)
}
process.disconnect()

/** A file may go on after its last line, as one that waits for a test to name the next does. */
async function idle(sub: Test): Promise<void> {
  for (let turns = 0; turns < 5; turns++) {
    if (!sub.idle) {
      turns = 0
      await once(sub, 'idle')
    }
    await nextTurn()
  }
}
