import t from 'tap'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'
import { ACCOUNTS_SQL, accounts, create, openAccounts } from './accounts.ts'
import { openSink } from './sink.ts'

/** What the log says of an outage of delivery, and when. */
t.setTimeout(120_000)

const HOOK = { name: 'created', event: 'INSERT' as const }
const CANNOT = 'events cannot be delivered; they wait in the outbox'
const AGAIN = 'events are delivered again'
const NONE_WAITS = 'events can be delivered again, and none waits'

async function world(t: TestLike) {
  const sink = await openSink(t)
  const url = await createPostgresDatabase(t, { sql: ACCOUNTS_SQL })
  const lines: string[] = []
  const write = (_fields: object, message: string): void => {
    if (message.startsWith('events ')) lines.push(`${message} (${sink.received.length} received)`)
  }
  const log = { debug() {}, info: write, warn: write, error: write }
  const schema = accounts([{ ...HOOK, actions: [{ type: 'webhook', url: `${sink.url}/` }] }])
  const app = await openAccounts(t, { kind: 'postgres', url }, schema, { allow_hosts: [sink.host] }, { log })
  const rows = (text: string) => runOnServer(new URL(url).pathname.slice(1), text)
  const said = (message: string) => lines.filter((line) => line.startsWith(message))
  await create(app, 'first')
  await sink.wait('/', 1)
  t.same(lines, [], 'nothing is said where nothing was wrong')
  return { app, sink, rows, lines, said }
}

t.test('events that waited: they are delivered again when one has been', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { app, sink, rows, lines, said } = await world(t)
  await rows('ALTER TABLE svc_event_relay RENAME TO away')
  await until(() => said(CANNOT).length === 1)
  await create(app, 'waits')
  t.same(said(AGAIN), [])
  await rows('ALTER TABLE away RENAME TO svc_event_relay')
  await sink.wait('/', 2)
  await until(() => lines.length > 1)
  t.same(lines, [`${CANNOT} (1 received)`, `${AGAIN} (2 received)`])
})

t.test('an outbox that can be read while deliveries cannot be kept: nothing is delivered again', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { app, sink, rows, said } = await world(t)
  await rows(`CREATE SEQUENCE refused;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM nextval('refused'); RAISE EXCEPTION 'the disk is full'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON svc_event_deliveries FOR EACH ROW EXECUTE FUNCTION refuse()`)
  const refused = async () => Number((await rows('SELECT last_value FROM refused'))[0]?.last_value)
  // What fails is to be kept for later, and cannot be.
  sink.answer('/', 500, 500, 500, 500, 500, 500, 500, 500)
  await create(app, 'fails')
  await until(async () => (await refused()) >= 3)
  t.same([said(CANNOT).length, said(AGAIN), said(NONE_WAITS)], [1, [], []], 'the relay has begun anew twice')
  await rows('DROP TRIGGER refuse ON svc_event_deliveries')
  await until(() => said(AGAIN).length === 1)
  t.equal(said(CANNOT).length, 1)
})

t.test('an outage in which nothing happened: it is over, and nothing was delivered', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { app, sink, rows, lines, said } = await world(t)
  await rows('ALTER TABLE svc_event_relay RENAME TO away')
  await until(() => said(CANNOT).length === 1)
  await rows('ALTER TABLE away RENAME TO svc_event_relay')
  await until(() => said(NONE_WAITS).length === 1)
  await create(app, 'later')
  await sink.wait('/', 2)
  t.same(lines, [`${CANNOT} (1 received)`, `${NONE_WAITS} (1 received)`])
})
