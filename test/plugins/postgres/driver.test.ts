import t from 'tap'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { driverSuite, SUITE_SQL } from '../driver-suite.ts'

t.test('the postgres driver', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SUITE_SQL })
  await driverSuite(t, { kind: 'postgres', url })
})
