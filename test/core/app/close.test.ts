import t from 'tap'
import { SvcError } from '../../../core/errors/svc-error.ts'
import type { DatabaseDriver } from '../../../core/front/database.ts'
import { createBareApp, createBareDatabase } from '../../helpers/bare-app.ts'
import { entry, failure, plugin } from '../../helpers/kernel.ts'

t.test('a database that cannot be opened closes the plugins', async (t) => {
  const closed: string[] = []
  const driver: DatabaseDriver = {
    name: 'broken',
    accepts: () => true,
    open: async () => {
      throw new SvcError('SVC_DATABASE_MISSING', 'There is none.')
    },
  }
  const plugins = [
    entry(plugin('broken', (scope) => scope.driver(driver))),
    entry(plugin('other', (scope) => scope.onClose(() => void closed.push('other')))),
    entry(
      plugin('stuck', (scope) =>
        scope.onClose(() => {
          throw new Error('cannot be closed either')
        }),
      ),
    ),
  ]
  const error = await failure(() => createBareApp(t, { plugins, database: null }))
  t.match(error, { code: 'SVC_DATABASE_MISSING', message: 'There is none.' })
  t.strictSame(closed, ['other'])
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

t.test('a database that cannot be closed comes after the plugins, and is told', async (t) => {
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
