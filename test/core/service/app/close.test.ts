import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { DatabaseDriver } from '../../../../core/contract/database.ts'
import type { Scope } from '../../../../core/contract/scope.ts'
import { POSTGRES } from '../../../../core/dialects/postgres/dialect.ts'
import { SQLITE } from '../../../../plugins/sqlite/dialect/dialect.ts'
import { createBareApp, createBareDatabase } from '../../../helpers/bare-app.ts'
import { entry, failure, plugin } from '../../../helpers/kernel.ts'

/** A plugin that is set up before the database is opened, with it. */
function driverPlugin(open: DatabaseDriver['open'], closed: string[]) {
  const driver: DatabaseDriver = { name: 'bare', accepts: () => true, open }
  const setup = (scope: Scope): void => {
    scope.driver(driver)
    scope.onClose(() => void closed.push('driver'))
    scope.onClose(() => {
      throw new Error('cannot be closed either')
    })
  }
  return entry(plugin('bare', setup, { databaseSchemes: ['bare'] }))
}

t.test('a database that cannot be opened closes what is set up, and says why', async (t) => {
  const closed: string[] = []
  const refuse = async (): Promise<never> => {
    throw new SvcError('SVC_DATABASE_MISSING', 'There is none.')
  }
  const error = await failure(() => createBareApp(t, { plugins: [driverPlugin(refuse, closed)], database: null }))
  t.match(error, { code: 'SVC_DATABASE_MISSING', message: 'There is none.' })
  t.strictSame(closed, ['driver'])
})

t.test('a plugin that cannot be set up closes the database that was opened, and says why', async (t) => {
  for (const fails of [false, true]) {
    let closes = 0
    const database = createBareDatabase({
      async close() {
        closes++
        if (fails) throw new Error('gone already')
      },
    })
    const bad = plugin('bad', () => {
      throw new Error('no disk')
    })
    const plugins = [driverPlugin(async () => database, []), entry(bad)]
    const error = await failure(() => createBareApp(t, { plugins, database: null }))
    t.match(error, { code: 'SVC_BOOT_FAILED', message: /no disk/ })
    t.equal(closes, 1)
  }
})

t.test('a plugin that is not ready closes plugins and database, and says why', async (t) => {
  for (const fails of [false, true]) {
    let closes = 0
    const database = createBareDatabase({
      async close() {
        closes++
        if (fails) throw new Error('gone already')
      },
    })
    const bad = plugin('bad', (scope) =>
      scope.onReady(() => {
        throw new Error('no port')
      }),
    )
    const closed: string[] = []
    const plugins = [driverPlugin(async () => database, closed), entry(bad)]
    const error = await failure(() => createBareApp(t, { plugins, database: null }))
    t.match(error, { code: 'SVC_BOOT_FAILED', message: /no port/ })
    t.strictSame([closed, closes], [['driver'], 1])
  }
})

t.test('a plugin that cannot be closed does not keep the database open', async (t) => {
  const database = createBareDatabase()
  const bad = plugin('bad', (scope) =>
    scope.onClose(() => {
      throw new Error('stuck')
    }),
  )
  const app = await createBareApp(t, { plugins: [entry(bad)], database })
  await t.rejects(app.close(), { code: 'SVC_CLOSE_FAILED', message: /stuck/ })
  t.equal(database.closed, 1)
  t.ok(app.signals.some(({ type }) => type === 'server-closed'))
})

t.test('a database that fails to close comes after the plugins, and is reported', async (t) => {
  const order: string[] = []
  const database = createBareDatabase({
    async close() {
      order.push('database')
      throw new Error('gone already')
    },
  })
  const app = await createBareApp(t, {
    plugins: [entry(plugin('one', (scope) => scope.onClose(() => void order.push('plugin'))))],
    database,
  })
  await t.rejects(app.close(), /gone already/)
  t.strictSame(order, ['plugin', 'database'])
})

t.test('a second close joins the first', async (t) => {
  const database = createBareDatabase()
  let closes = 0
  const app = await createBareApp(t, {
    plugins: [entry(plugin('one', (scope) => scope.onClose(() => void closes++)))],
    database,
  })
  await app.listen()
  await Promise.all([app.close(), app.close()])
  await app.close()
  t.strictSame([closes, database.closed], [1, 1])
  const types = app.signals.map(({ type }) => type).filter((type) => type.startsWith('server-'))
  t.strictSame(types, ['server-listening', 'server-draining', 'server-closed'])
})

t.test('a role for requests needs a database that has roles', async (t) => {
  const dialect = { ...POSTGRES, name: 'postgres', hasRoles: false }
  const databaseConfig = { role_claim: 'role' }
  const error = await failure(() => createBareApp(t, { database: createBareDatabase({ dialect }), databaseConfig }))
  t.match(error, { code: 'SVC_CONFIG_INVALID', message: /^database\.role_claim: .* has no roles/ })
  t.equal(SQLITE.hasRoles, undefined)
  await createBareApp(t, { database: createBareDatabase(), databaseConfig })
})
