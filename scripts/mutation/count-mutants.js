/**
 * Loaded by every process that runs the instrumented sources: writes down which mutants ran in it, where
 * SVC_TEST_MUTATION_COVERAGE names a folder.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

const { SVC_TEST_MUTATION_COVERAGE: folder } = process.env
if (folder !== undefined) {
  process.once('exit', () => {
    const ran = Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {})
    if (ran.length > 0) writeFileSync(join(folder, `${process.pid}-${threadId}.json`), JSON.stringify(ran))
  })
}
