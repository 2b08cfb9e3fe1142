import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LISTS } from '../../scripts/mutants/lists.ts'
import { ROOT } from '../repo/source-files.ts'

t.test('every fault still has its place and its tests', async (t) => {
  const faults = new Set<string>()
  for (const { fault, file, find, replace, tests } of Object.values(LISTS).flat()) {
    t.notOk(faults.has(fault), `${fault}: told once`)
    faults.add(fault)
    t.equal(readFileSync(join(ROOT, file), 'utf8').split(find).length - 1, 1, `${fault}: "${find}" once in ${file}`)
    t.not(replace, find, fault)
    t.ok(tests.length > 0, fault)
    for (const test of tests) t.ok(existsSync(join(ROOT, test)), `${fault}: ${test}`)
  }
  t.ok(faults.size > 60)
})
