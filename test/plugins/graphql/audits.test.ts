import { serverAudits } from 'graphql-http'
import t from 'tap'
import { eachDatabase } from '../../helpers/databases.ts'
import { LIBRARY_SQL, OPEN_LIBRARY } from '../../helpers/library.ts'
import { openApp } from '../../helpers/open-app.ts'

eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, OPEN_LIBRARY)
    const url = await app.listen()
    await t.test('all audits of GraphQL over HTTP pass, over a socket', async (t) => {
      const audits = serverAudits({ url: `${url}/graphql` })
      t.equal(audits.length, 61)
      for (const audit of audits) {
        const result = await audit.fn()
        t.equal(result.status, 'ok', `${audit.id} ${audit.name}${'reason' in result ? `: ${result.reason}` : ''}`)
      }
    })
  },
  { sql: LIBRARY_SQL },
)
