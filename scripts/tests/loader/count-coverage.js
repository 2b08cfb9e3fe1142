/**
 * Coverage of the project's sources, in the folder of SVC_TEST_COVERAGE. NODE_V8_COVERAGE writes the data of Node
 * itself and of every package, with every source map, which takes longer than many tests.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

const SOURCES = new RegExp(`^${new URL('../../../', import.meta.url).href}(?:core|plugins|presets)/.*\\.ts$`)

/** Counts from now to the end of this thread. */
export function countCoverage(folder) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  process.once('exit', () => {
    session.post('Profiler.takePreciseCoverage', (_, taken) => {
      const result = taken.result.filter(({ url }) => SOURCES.test(url))
      if (result.length === 0) return
      mkdirSync(folder, { recursive: true })
      const name = `coverage-${process.pid}-${Date.now()}-${threadId}.json`
      writeFileSync(join(folder, name), JSON.stringify({ result }))
    })
  })
}
