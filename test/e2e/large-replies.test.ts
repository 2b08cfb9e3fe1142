import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import singleFlight from '../../plugins/single-flight/index.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { type GraphQLBody, openApp } from '../helpers/open-app.ts'
import { requireService } from '../helpers/services.ts'
import { tableSchema } from '../schemas/table-schema.ts'

t.setTimeout(120_000)

/*
 * Long answers lie in memory that is used again. Whatever clients do, slow ones, broken ones, ones that share a read: each
 * gets its own rows to the last byte.
 */
const SQL = `
CREATE TABLE tb_line (id int PRIMARY KEY, owner int NOT NULL);
INSERT INTO tb_line SELECT n, n / 1000 FROM generate_series(0, 9999) n;
CREATE VIEW v_line AS SELECT id, owner, repeat('<' || owner || '>', 1000) AS body,
  jsonb_build_object('of', owner) AS doc FROM tb_line;
`
const fields = [
  { name: 'id', type: 'ID!' },
  { name: 'owner', type: 'Int!' },
  { name: 'body', type: 'String!' },
]
const SCHEMA = tableSchema(
  { name: 'Line', sql_source: 'v_line', fields },
  { queries: [{ name: 'lines', type: '[Line!]!', sql_source: 'v_line', arguments: [{ name: 'owner', type: 'Int' }] }] },
)

for (const plugins of [[], [{ plugin: singleFlight, options: {}, source: 'test' }]]) {
  t.test(`each large reply has its own rows (${plugins.length === 0 ? 'alone' : 'shared reads'})`, async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const url = await createPostgresDatabase(t, { sql: SQL })
    const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, {
      plugins,
      // Megabytes by the hundred, in one process with those who ask for them.
      database: { connect_timeout_ms: 60_000 },
      // Connections stand while others are read late: none of them is to be closed just when it is used again.
      server: { request_timeout_ms: 100_000, keep_alive_secs: 75 },
    })
    const base = await app.listen()
    const bodyOf = (owner: number) =>
      JSON.stringify({
        query: 'query($o: Int) { lines(owner: $o, limit: 1000) { id owner body } }',
        variables: { o: owner },
      })
    const check = (owner: number, json: string) => {
      const { data, errors } = JSON.parse(json) as GraphQLBody
      t.equal(errors, undefined)
      const own = `<${owner}>`.repeat(1000)
      const wrong = data.lines.filter(
        (line: { owner: number; body: string }) => line.owner !== owner || line.body !== own,
      )
      t.ok(data.lines.length === 1000 && wrong.length === 0, `rows of ${owner}`)
    }
    const ask = async (owner: number) => {
      const answer = await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bodyOf(owner),
      })
      check(owner, await answer.text())
    }
    const requestOf = (owner: number, connection: 'close' | 'keep-alive') => {
      const body = bodyOf(owner)
      return `POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    }
    /** Asks for more than the buffers of the system hold, and reads it late. */
    const askSlowly = async (owners: readonly number[]) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1')
      socket.pause()
      for (const [i, owner] of owners.entries()) {
        socket.write(requestOf(owner, i === owners.length - 1 ? 'close' : 'keep-alive'))
      }
      await sleep(1500)
      let rest = await text(socket)
      for (const owner of owners) {
        const start = rest.indexOf('\r\n\r\n') + 4
        const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, start))?.[1])
        check(owner, rest.slice(start, start + length))
        rest = rest.slice(start + length)
      }
    }
    const leave = async (owner: number) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1')
      socket.write(requestOf(owner, 'close'))
      await Promise.race([once(socket, 'data'), sleep(200)])
      socket.resetAndDestroy()
    }
    const rounds = Array.from({ length: 3 }, async (_, round) => {
      await sleep(round * 50)
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => {
          const owner = (i * 7 + round) % 10
          if (i % 10 === 3) return leave(owner)
          return i % 10 === 7 ? askSlowly([5, owner, 5, 1, 2, 3]) : ask(i % 2 === 0 ? owner : 5)
        }),
      )
    })
    await Promise.all(rounds)
    for (let owner = 0; owner < 10; owner++) await ask(owner)
  })
}
