import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { ACCOUNTS_SQL, accounts, create, openAccounts } from './accounts.ts'
import { openSink } from './sink.ts'

/** A position that was taken and rolled back holds up what is behind it for as long as it may still come, and no longer. */
t.setTimeout(120_000)
const hasPostgres = await requireService(t, 'postgres')

const connect = async (t: TestLike, url: string): Promise<pg.Client> => {
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

t.test('a gap of the outbox', { skip: !hasPostgres }, async (t) => {
  const sink = await openSink(t)
  const url = await createPostgresDatabase(t, { sql: ACCOUNTS_SQL })
  const schema = accounts([{ name: 'all', event: 'INSERT', actions: [{ type: 'webhook', url: `${sink.url}/` }] }])
  const app = await openAccounts(t, { kind: 'postgres', url }, schema, { allow_hosts: [sink.host] })
  const names = (): readonly string[] => sink.of('/').map(({ body }) => body.data.new.name)
  const writer = await connect(t, url)
  const take = (client: pg.Client, name: string) =>
    client.query(`INSERT INTO svc_outbox (kind, entity_type, entity_id, new_row)
      VALUES ('INSERT', 'Account', '1', '{"id": "1", "name": "${name}"}')`)
  const rollBackOne = async (): Promise<void> => {
    await writer.query('BEGIN')
    await take(writer, 'never')
    await writer.query('ROLLBACK')
  }
  await create(app, 'first')
  await sink.wait('/', 1)

  await t.test('is not held open by a transaction of another database of the cluster', async (t) => {
    const other = await connect(t, await createPostgresDatabase(t, { sql: 'CREATE TABLE t (a int)' }))
    await other.query('BEGIN; INSERT INTO t VALUES (1)')
    await rollBackOne()
    await create(app, 'beside another database')
    await sink.wait('/', 2)
    await other.query('ROLLBACK')
  })

  await t.test('nor by one of this database that has not written to the outbox', async (t) => {
    const other = await connect(t, url)
    await other.query(`BEGIN; INSERT INTO tb_heard (event) VALUES ('{}')`)
    await rollBackOne()
    await create(app, 'beside another table')
    await sink.wait('/', 3)
    await other.query('ROLLBACK')
  })

  await t.test('is held open by each of several that have, until the last of them ends', async (t) => {
    const [one, two] = [await connect(t, url), await connect(t, url)]
    for (const client of [one, two]) {
      await client.query('BEGIN')
      await take(client, client === one ? 'one' : 'two')
    }
    await create(app, 'behind both')
    await sleep(400)
    t.equal(names().length, 3, 'nothing is told past them')
    await one.query('ROLLBACK')
    await sleep(400)
    t.equal(names().length, 3)
    await two.query('COMMIT')
    await sink.wait('/', 5)
    t.same([...names().slice(3)].sort(), ['behind both', 'two'])
  })

  await t.test('a savepoint that is rolled back is a gap of its own', async (t) => {
    await writer.query('BEGIN')
    await take(writer, 'kept')
    await writer.query('SAVEPOINT here')
    await take(writer, 'never')
    await writer.query('ROLLBACK TO here')
    await take(writer, 'kept, too')
    await create(app, 'behind the savepoint')
    await sleep(300)
    t.equal(names().length, 5)
    await writer.query('COMMIT')
    await sink.wait('/', 8)
    t.same([...names().slice(5)].sort(), ['behind the savepoint', 'kept', 'kept, too'])
  })
})
