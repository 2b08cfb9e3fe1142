import { enterPlainly } from '../enter-plainly.ts'
import { FRONTS } from '../front-tests.ts'
import type { World } from '../world.ts'

/** What an administrator may have set, each of it something that changes how values are written or how statements run. */
const SETTINGS = {
  datestyle: 'SQL, DMY',
  intervalstyle: 'postgres_verbose',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'repeatable read',
  client_min_messages: 'debug1',
  statement_timeout: '60s',
  lock_timeout: '30s',
  xmloption: 'document',
  timezone: 'Asia/Kathmandu',
  array_nulls: 'off',
  transform_null_equals: 'on',
}

const SEVERAL = 'several services at once, which the four connections of the role are too few for'

export const smallRole: World = {
  name: 'small-role',
  about: 'the service connects as a role with four connections, no superuser, with settings of its own',
  tests: FRONTS,
  except: {
    'test/conformance/session-variables.test.ts': 'it takes on roles to which the role of the connection has no right',
    'test/plugins/mcp/tools.test.ts': SEVERAL,
    'test/plugins/observers/elsewhere.test.ts': SEVERAL,
    'test/plugins/observers/sqldb.test.ts': SEVERAL,
    'test/plugins/rest/read.test.ts': SEVERAL,
    'test/plugins/rest/write-keys.test.ts': SEVERAL,
    'test/plugins/sse/tenants.test.ts': SEVERAL,
    'test/plugins/subscriptions/durable.test.ts': SEVERAL,
  },
  enter: async () => enterPlainly({ role: { connections: 4, settings: SETTINGS } }),
}
