import t from 'tap'
import { listFiles, read } from './source-files.ts'

/** Rules hold wherever rows are opened because one function opens them. */
const OPENER = 'core/engine/plan/sources/open-rows.ts'

t.test('one function opens the rows of a source', async (t) => {
  const files = [...listFiles('core', '.ts'), ...listFiles('plugins', '.ts')]
  t.match(read(OPENER), /kind: 'source'/)
  for (const file of files.filter((file) => file !== OPENER && file !== 'core/contract/plan/stored-value.ts')) {
    t.notMatch(read(file), /kind: 'source'/, `${file} opens a source; ${OPENER} does, with its rules`)
    t.notMatch(
      read(file).replace(/export function securityConditions/, ''),
      /securityConditions\(/,
      `${file} lays rules on rows; ${OPENER} does`,
    )
  }
})
