import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from 'mysql2/promise'
import t from 'tap'
import { createMariadbTopics } from '../../../plugins/observers/bus/mariadb-topics.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { until } from '../subscriptions/shop.ts'

/** Messages of topics, where the table that they stand in is emptied under whoever reads it. */
t.setTimeout(120_000)

if (await requireService(t, 'mariadb')) {
  t.test('a table that begins anew', async (t) => {
    const { host, port } = SERVICES.mariadb
    const pool = createPool({ host, port, user: 'root', supportBigNumbers: true, bigNumberStrings: true })
    await pool.query('CREATE DATABASE IF NOT EXISTS svc_test_events')
    const table = `svc_test_events.svc_test_${randomUUID().slice(0, 8)}_messages`
    t.teardown(async () => {
      topics.close()
      await sleep(300)
      await pool.query(`DROP TABLE IF EXISTS ${table}`)
      await pool.end()
    })
    const topics = createMariadbTopics(pool, table, 5000)
    const heard: string[] = []
    const end = await topics.hear('one', (text) => void heard.push(text))
    t.teardown(end)
    const told: string[] = []
    const say = async (count: number): Promise<void> => {
      const texts = Array.from({ length: count }, () => `m${told.length + 1}`.padEnd(8) + randomUUID())
      for (const text of texts) {
        told.push(text)
        await pool.query(`INSERT INTO ${table} (channel, message) VALUES ('one', ?)`, [text])
      }
    }
    const all = (what: string) => until(() => heard.length >= told.length, what)

    await say(5)
    await all('what is there')
    await pool.query(`TRUNCATE ${table}`)
    await say(1)
    await all('fewer than before')
    await pool.query(`TRUNCATE ${table}`)
    // Looked at seldom by now.
    await sleep(1000)
    await pool.query(`TRUNCATE ${table}`)
    await say(9)
    await all('more than before')
    await pool.query(`TRUNCATE ${table}`)
    await say(9)
    await all('as many')
    await pool.query(`DELETE FROM ${table}`)
    await sleep(500)
    await say(2)
    await all('where the numbers go on')
    await pool.query(`DELETE FROM ${table} ORDER BY id DESC LIMIT 1`)
    await pool.query(`DELETE FROM ${table}`)
    await say(1)
    await all('and again')
    await sleep(500)
    t.same(heard, told, 'each once, in their order')
  })
}
