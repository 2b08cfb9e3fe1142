import t from 'tap'
import { createPglite } from '../../helpers/databases.ts'
import { driverSuite, SUITE_SQL } from '../driver-suite.ts'

t.test('the pglite driver', async (t) => {
  const url = await createPglite(t, { sql: SUITE_SQL })
  await driverSuite(t, { kind: 'pglite', url })
})
