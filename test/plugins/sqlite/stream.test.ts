import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import t from 'tap'
import type { Row } from '../../../core/doors/plugin.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import {
  connectionProcesses,
  ENDLESS,
  eachLibrary,
  open,
  pause,
  read,
  SERIES,
  single,
  until,
  write,
} from './open-sqlite.ts'

await eachLibrary(t, 'a stream gives batches, and can be left', async (t, library) => {
  const database = await open(t, { library, sql: 'CREATE TABLE t (a)' })
  const sizes: number[] = []
  let last: Row = []
  for await (const batch of database.stream(read(SERIES), ['25'], { cancel: null, batchSize: 10 })) {
    sizes.push(batch.length)
    last = batch.at(-1)!
    await database.query(write('INSERT INTO t VALUES (1)'), [], null)
    t.equal(await single(database, 'SELECT 1'), '1', 'other statements run meanwhile')
  }
  t.strictSame(sizes, [10, 10, 5])
  t.strictSame(last, ['25', 'row 25'])
  for await (const batch of database.stream(read(SERIES), ['100000'], { cancel: null, batchSize: 2 })) {
    t.equal(batch.length, 2)
    break
  }
  const none = 'SELECT 1 WHERE ?1 IS NULL'
  for await (const _ of database.stream(read(none), ['x'], { cancel: null, batchSize: 10 }))
    t.fail('no batch of nothing')
  const odd = "SELECT x'0a', 'a' || char(10) || 'b' || char(8232), NULL"
  for await (const batch of database.stream(read(odd), [], { cancel: null, batchSize: 1 })) {
    t.strictSame(batch, [['\\x0a', 'a\nb\u2028', null]])
  }
  for (const text of ['SELECT * FROM nowhere', "SELECT svc_raise('X', 'y')", 'INSERT INTO t VALUES (2) RETURNING a']) {
    await t.rejects(
      database.stream(read(text), [], { cancel: null, batchSize: 1 })[Symbol.asyncIterator]().next(),
      text,
    )
  }
  await until(() => database.pool.active === 0)
  t.match(database.pool, { waiting: 0, connected: true })
  t.equal(await single(database, 'SELECT count(*) FROM t'), '3')
  await until(() => spoolFiles() === 0)
})

await eachLibrary(t, 'a client that leaves in the middle of a stream', async (t, library) => {
  const database = await open(t, { library, config: { pool_max: 2 } })
  const cancel = createCancellable()
  const rows = database.stream(read(SERIES), ['100000'], { cancel, batchSize: 10 })[Symbol.asyncIterator]()
  await rows.next()
  await pause(50)
  cancel.abort('client')
  await until(() => database.pool.active === 0)
  t.pass('cursor and connection are given back while nobody asks for rows')
  await t.rejects(rows.next(), { code: 'TIMEOUT' })

  const gone = createCancellable()
  const endless = database.stream(read(ENDLESS), [], { cancel: gone, batchSize: 10 })[Symbol.asyncIterator]()
  const first = endless.next()
  first.catch(() => {})
  await pause(50)
  gone.abort()
  await t.rejects(first, { code: 'TIMEOUT' })
  await until(() => database.pool.active === 0)
  t.equal(await single(database, 'SELECT 1'), '1')
  await until(() => spoolFiles() === 0)
})

await eachLibrary(t, 'whoever leaves lets go of cursor and connection within 100 ms', async (t, library) => {
  const database = await open(t, { library })
  let processes: readonly number[] = []
  for (const how of ['abort', 'end'] as const) {
    const took: number[] = []
    // Others are at work on this machine: what was once done in time can be.
    while (took.length < 10 && !took.some((ms) => ms < 100)) {
      const cancel = createCancellable()
      const rows = database.stream(read(SERIES), ['5000000'], { cancel, batchSize: 500 })[Symbol.asyncIterator]()
      await rows.next()
      await rows.next()
      processes = connectionProcesses()
      const started = performance.now()
      if (how === 'abort') cancel.abort('client')
      else void rows.return?.()
      await until(() => database.pool.active === 0)
      took.push(performance.now() - started)
      if (how === 'abort') await t.rejects(rows.next(), { code: 'TIMEOUT' })
    }
    t.ok(
      took.some((ms) => ms < 100),
      `${how}: after ${took.map(Math.round).join(', ')} ms`,
    )
  }
  t.equal(await single(database, 'SELECT 1'), '1')
  t.strictSame(connectionProcesses(), processes, 'by the same process')
  await until(() => spoolFiles() === 0)
})

await eachLibrary(t, 'a process that dies under a stream', async (t, library) => {
  const database = await open(t, { library })
  const rows = database.stream(read(SERIES), ['1000000'], { cancel: null, batchSize: 10 })[Symbol.asyncIterator]()
  await rows.next()
  for (const pid of connectionProcesses()) process.kill(pid, 'SIGKILL')
  await t.rejects(
    (async () => {
      while ((await rows.next()).done !== true) {}
    })(),
    { code: 'SERVICE_UNAVAILABLE' },
  )
  t.equal(await single(database, 'SELECT 1'), '1')
})

await eachLibrary(
  t,
  'the first rows come while the rest is made, and who has enough stops that',
  async (t, library) => {
    const database = await open(t, { library, config: { pool_max: 2 } })
    const forever = 'WITH RECURSIVE n(g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM n) SELECT g FROM n'
    const seen: (string | null)[] = []
    for await (const batch of database.stream(read(forever), [], { cancel: null, batchSize: 3 })) {
      seen.push(...batch.flat())
      if (seen.length >= 6) break
    }
    t.strictSame(seen.slice(0, 6), ['1', '2', '3', '4', '5', '6'])
    await until(() => database.pool.active === 0)
    t.equal(await single(database, 'SELECT 1'), '1')
    await until(() => spoolFiles() === 0)

    const fails = `${forever} WHERE CASE WHEN g < 5000 THEN 1 ELSE json('no') END`
    const rows = database.stream(read(fails), [], { cancel: null, batchSize: 10 })[Symbol.asyncIterator]()
    await t.rejects(
      (async () => {
        while ((await rows.next()).done !== true) {}
      })(),
      /malformed JSON/,
      'what fails behind the first rows is not the end of the list',
    )
  },
)

await eachLibrary(t, '200 MB of rows in bounded memory', async (t, library) => {
  const database = await open(t, { library })
  const text = `WITH s AS (${SERIES}) SELECT *, printf('%.*c', 1000, 'x') FROM s`
  const memory = (): number =>
    [process.pid, ...connectionProcesses()].reduce((sum, pid) => sum + residentMegabytes(pid), 0)
  let early = 0
  let most = 0
  let count = 0
  let batches = 0
  for await (const batch of database.stream(read(text), ['200000'], { cancel: null, batchSize: 500 })) {
    count += batch.length
    if (++batches % 20 !== 0) continue
    if (count <= 50_000) early = Math.max(early, memory())
    most = Math.max(most, memory())
  }
  t.equal(count, 200_000)
  t.comment(`${early} MB in the first quarter, at most ${most} MB`)
  t.ok(most - early < 120, `${most - early} MB more in the rest`)
})

function spoolFiles(): number {
  return readdirSync(tmpdir()).filter((file) => file.startsWith(`svc-stream-${process.pid}-`)).length
}

function residentMegabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
}
