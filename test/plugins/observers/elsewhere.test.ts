import t from 'tap'
import { triggerSql } from '../../../plugins/observers/trigger-sql.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { ACCOUNTS_SQL, accounts, create, openAccounts } from './accounts.ts'
import { openSink } from './sink.ts'

/** Tables that are not in `public`, and writers whose search_path is another one. */
t.setTimeout(60_000)

t.test('triggers name the schema in which the outbox is', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sink = await openSink(t)
  const url = await createPostgresDatabase(t, { sql: 'CREATE SCHEMA "App Data"' })
  const name = new URL(url).pathname.slice(1)
  await runOnServer(name, `ALTER DATABASE ${name} SET search_path = "App Data"`)
  await runOnServer(name, ACCOUNTS_SQL)
  const hook = (event: string) => ({ name: event, event, actions: [{ type: 'webhook', url: `${sink.url}/` }] })
  const schema = accounts(['INSERT', 'UPDATE'].map(hook))
  const database = { kind: 'postgres', url } as const

  const before = await triggerSql({ entity: 'Account', table: 'tb_account', key: 'id' }, await openDatabase(t, url))
  const app = await openAccounts(t, database, schema, { allow_hosts: [sink.host] })
  const sql = await triggerSql({ entity: 'Account', table: 'tb_account', key: 'id' }, await openDatabase(t, url))
  t.equal(before, sql, 'where the service has not made it yet, it names the schema in which it will be')
  t.match(sql, 'FUNCTION "App Data".svc_outbox_capture()')
  t.match(sql, 'AFTER INSERT OR UPDATE OR DELETE ON "App Data"."tb_account"')
  await runOnServer(name, `SET search_path = public; ${sql}`)

  await create(app, 'by svc')
  await sink.wait('/', 1)
  // Whoever writes past svc may see other tables of these names first.
  await runOnServer(
    name,
    `CREATE TABLE public.svc_outbox (kind int); SET search_path = public;
    INSERT INTO "App Data".tb_account (name) VALUES ('past svc')`,
  )
  await sink.wait('/', 2)
  t.same(
    sink.of('/').map(({ body }) => body.data.new.name),
    ['by svc', 'past svc'],
  )
})

t.test('where no schema of the search_path exists, it is said', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const name = new URL(url).pathname.slice(1)
  await runOnServer(name, `ALTER DATABASE ${name} SET search_path = nowhere`)
  const database = await openDatabase(t, url)
  const wanted = { code: 'SVC_USAGE', message: /names no schema that exists/ }
  await t.rejects(triggerSql({ entity: 'Account', table: 'tb_account', key: 'id' }, database), wanted)
})
