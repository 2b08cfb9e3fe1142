import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { enterPlainly } from '../enter-plainly.ts'
import type { World } from '../world.ts'

/** What a failover does: the server takes no writes for a while, then it does again. */
export const readOnly: World = {
  name: 'read-only',
  about: 'the database takes no writes for a while',
  tests: [],
  except: { '*': 'they expect their writes to be done' },
  async enter() {
    let name = ''
    const flip = async (value: 'on' | 'off'): Promise<void> => {
      await runOnServer('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only TO ${value}`)
      await runOnServer('postgres', `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
    }
    return {
      ...enterPlainly(),
      async database(t, sql) {
        const url = await createPostgresDatabase(t, { sql })
        name = new URL(url).pathname.slice(1)
        return url
      },
      faults: () => [{ name: 'read-only', begin: () => flip('on'), end: () => flip('off') }],
      // The front tests run in processes of their own.
      async leave() {
        if (name !== '') await flip('off')
      },
    }
  },
}
