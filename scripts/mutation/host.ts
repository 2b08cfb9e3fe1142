/**
 * Runs one test file repeatedly in one process, each time with another mutant enabled; its imports are loaded once.
 * `SVC_TEST_GROUP` has the file, `SVC_TEST_MUTATION_RUNS` the ids, `""` for none. Reports each run to the parent.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { FILES } from '../tests/group/files.js'
import { idle } from '../tests/group/idle.ts'

/** A message after one run of the file. */
export interface HostMessage {
  readonly run: number
  readonly ok: boolean
  /** Mutants that ran since the previous run. */
  readonly ran: readonly string[]
}
interface Switches {
  activeMutant?: string | null
  mutantCoverage?: { static: Record<string, number> }
}

const [file] = JSON.parse(process.env.SVC_TEST_GROUP!) as [string]
const runs = JSON.parse(process.env.SVC_TEST_MUTATION_RUNS!) as readonly string[]
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
