import t from 'tap'
import { definePlugin } from '../../../core/kernel/plugin.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { NOTES } from '../../schemas/notes.ts'

t.test('closing does not wait for hanging requests', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: NOTES.sql })
  const hangs = definePlugin<unknown>(
    { name: 'hangs', version: '1.0.0', kernelApi: 1, description: 'Does not close.' },
    (scope) => scope.onClose(() => new Promise(() => {})),
  )
  const app = await openApp(t, { kind: 'postgres', url }, NOTES.schema, {
    url,
    plugins: [{ plugin: hangs, options: {}, source: 'test' }],
    server: { shutdown_timeout_ms: 100 },
  })
  const { database } = app
  void database.transaction(async (session) => {
    await session.query({ name: null, text: 'SELECT 1' }, [])
    await new Promise(() => {})
  }, {})
  await app.inject({ method: 'POST', url: '/graphql', body: { query: '{ notes { id } }' } })
  t.ok(database.pool.connected)
  await app.close()
  const messages = app.signals.flatMap((signal) => (signal.type === 'warning' ? [signal.message] : []))
  t.match(messages, [/^The plugins did not close/, /^The database did not close/])
  t.equal(app.signals.at(-1)?.type, 'server-closed')
})
