import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { definePlugin } from '../../../core/kernel/plugin.ts'
import singleFlight from '../../../plugins/single-flight/index.ts'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { type GraphQLBody, openApp } from '../../helpers/open-app.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

t.setTimeout(60_000)

/** The view counts how often it is read, and takes its time. */
const SQL = `
CREATE SEQUENCE reads;
CREATE TABLE tb_seat (id int PRIMARY KEY, holder text NOT NULL);
INSERT INTO tb_seat VALUES (1, 'ann'), (2, 'bob');
CREATE VIEW v_seat AS SELECT s.*, r.n AS reading FROM tb_seat s,
  (SELECT nextval('reads') AS n, pg_sleep(0.3)::text AS slept OFFSET 0) r;
CREATE FUNCTION fn_seat(p_holder text) RETURNS boolean LANGUAGE sql AS $$
  UPDATE tb_seat SET holder = p_holder WHERE id = 1; SELECT true $$;
`
const SCHEMA = tableSchema(
  { name: 'Seat', sql_source: 'v_seat', list: 'seats', fields: { id: 'ID!', holder: 'String!', reading: 'BigInt!' } },
  {
    queries: [{ name: 'seat', type: 'Seat', sql_source: 'v_seat', arguments: [{ name: 'id', type: 'ID!' }] }],
    mutations: [
      { name: 'take', type: 'Boolean', sql_source: 'fn_seat', arguments: [{ name: 'holder', type: 'String!' }] },
    ],
  },
)
/** Takes the caller's word for who it is. */
const who = definePlugin<unknown>(
  { name: 'who', version: '1.0.0', kernelApi: 1, description: 'Trusts a header.' },
  (scope) => {
    scope.on('authenticate', ({ headers }) => {
      const subject = headers['x-user']
      if (typeof subject !== 'string') return undefined
      return { subject, claims: { sub: subject }, scopes: [], roles: [], method: 'who' }
    })
  },
)

async function open(t: TestLike) {
  const url = await createPostgresDatabase(t, { sql: SQL })
  const name = new URL(url).pathname.slice(1)
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, {
    url,
    plugins: [singleFlight, who].map((plugin) => ({ plugin: plugin as never, options: {}, source: 'test' })),
  })
  let reads = 0
  return {
    app,
    async ask(query: string, variables = {}, user?: string): Promise<GraphQLBody> {
      const headers = user === undefined ? {} : { 'x-user': user }
      return (await app.inject({ url: '/graphql', headers, body: { query, variables } })).json<GraphQLBody>()
    },
    /** Statements since it was last asked. */
    async reads() {
      const [row] = await runOnServer(name, 'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS n FROM reads')
      const before = reads
      reads = Number(row?.n)
      return reads - before
    },
    sleeping: async () =>
      (await runOnServer(name, `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND wait_event = 'PgSleep'`))
        .length,
  }
}

const SEATS = '{ seats { id holder reading } }'
const SEAT = 'query ($id: ID!) { seat(id: $id) { id holder reading } }'

t.test('one statement for all who ask the same', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { ask, reads } = await open(t)
  const same = await Promise.all(Array.from({ length: 20 }, () => ask(SEATS)))
  t.equal(await reads(), 1)
  t.equal(new Set(same.map((body) => JSON.stringify(body))).size, 1)
  t.equal(same[0]?.data.seats.length, 2)

  // Counted by their answers: a read that stands behind a slow one is run again elsewhere, and its first answer dropped.
  const answers = (bodies: readonly unknown[]) => new Set(bodies.map((body) => JSON.stringify(body))).size
  t.equal(answers(await Promise.all([1, 2, 1, 2, 1, 2].map((id) => ask(SEAT, { id })))), 2, 'one per value')
  const callers = ['ann', 'bob', undefined, 'ann', 'bob', undefined]
  t.equal(answers(await Promise.all(callers.map((user) => ask(SEATS, {}, user)))), 3, 'one per caller')
  await reads()
  await ask(SEATS)
  await ask(SEATS)
  t.equal(await reads(), 2, 'nothing is kept')
})

t.test('a caller reads its own write', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { ask } = await open(t)
  const early = ask(SEATS)
  await sleep(100)
  t.match(await ask('mutation { take(holder: "eve") }'), { data: { take: true } })
  const late = await ask(SEATS)
  t.equal(late.data.seats.find(({ id }: { id: string }) => id === '1').holder, 'eve')
  t.equal((await early).data.seats.length, 2)
})

t.test('a leader that disconnects does not abort its followers', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { app, ask, sleeping, reads } = await open(t)
  const url = await app.listen()
  const leader = request(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' } })
  leader.on('error', () => {})
  leader.end(JSON.stringify({ query: SEATS }))
  while ((await sleeping()) === 0) await sleep(5)
  const followers = Array.from({ length: 5 }, () => ask(SEATS))
  await sleep(20)
  leader.destroy()
  for (const { data, errors } of await Promise.all(followers)) {
    t.equal(errors, undefined)
    t.equal(data.seats.length, 2)
  }
  t.equal(await reads(), 2, 'run again once, for all of them')
})
