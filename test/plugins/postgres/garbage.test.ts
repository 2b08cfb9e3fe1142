import { randomBytes } from 'node:crypto'
import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { parseRow } from '../../../plugins/postgres/wire/protocol-messages.ts'
import { RowGate } from '../../../plugins/postgres/wire/row-gate.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { collectStrays } from '../../helpers/collect-strays.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { type Change, createHostileProxy, type HostileProxy } from '../../helpers/hostile-proxy.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

/** Bytes that are not those of the server: what is in flight fails, the connection ends, and the process goes on. */

const READ = { name: 'read', text: 'SELECT g, repeat($$x$$, 50) FROM generate_series(1, 20) g', readOnly: true }
const BARE = { name: null, text: 'SELECT 1, now()', readOnly: true }
const WRITE = { name: 'write', text: 'INSERT INTO item VALUES (1) RETURNING id' }
const SETTINGS = [{ name: 'app.tenant', value: '1' }]

/** A generator of the same numbers for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function spoiled(
  bytes: Buffer,
  random: () => number,
  spoil: (copy: Buffer, at: number) => Buffer | null,
): Buffer | null {
  return spoil(Buffer.from(bytes), Math.floor(random() * bytes.length))
}

/** What is done to one chunk in five. */
const SPOILERS: Readonly<Record<string, (copy: Buffer, at: number) => Buffer | null>> = {
  'a byte is another one': (copy, at) => {
    copy[at]! ^= 0x55
    return copy
  },
  'bytes are missing': (copy, at) => Buffer.concat([copy.subarray(0, at), copy.subarray(at + 3)]),
  'bytes come in between': (copy, at) => Buffer.concat([copy.subarray(0, at), randomBytes(7), copy.subarray(at)]),
  'all of it comes twice': (copy) => Buffer.concat([copy, copy]),
  'a page of a proxy comes': () =>
    Buffer.from('HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\n\r\n<html></html>'),
  'nothing but zeros comes': (copy) => Buffer.alloc(copy.length),
  'the connection ends half way': (copy, at) => (at % 2 === 0 ? null : copy.subarray(0, at)),
}

async function openBehind(t: TestLike): Promise<{ database: Database; proxy: HostileProxy }> {
  const url = new URL(await createPostgresDatabase(t, { sql: 'CREATE TABLE item (id int)' }))
  const proxy = await createHostileProxy(t, SERVICES.postgres.host, SERVICES.postgres.port)
  url.host = `127.0.0.1:${proxy.port}`
  const config = { pool_max: 6, connect_timeout_ms: 500 }
  return { proxy, database: await openDatabase(t, url.href, { config }) }
}

/** A statement whose client goes away, so that a request to cancel it is sent. */
async function cancelled(database: Database): Promise<void> {
  const cancel = createCancellable()
  const slow = database.query({ name: 'slow', text: 'SELECT pg_sleep(1)', readOnly: true }, [], cancel)
  setTimeout(() => cancel.abort('client'), 20)
  await slow
}

/** Everything that a driver does, at once. */
function work(database: Database): Promise<unknown>[] {
  const stream = async (): Promise<void> => {
    for await (const _ of database.stream(READ, [], { cancel: null, batchSize: 5 }));
  }
  return [
    ...Array.from({ length: 6 }, () => database.query(READ, [], null)),
    database.readRow!(BARE, [], null, (row) => row),
    database.query(BARE, [], null, SETTINGS),
    database.query(WRITE, [], null),
    database.transaction((session) => session.query(WRITE, []), { settings: SETTINGS }),
    stream(),
    database.catalog({ relations: ['item'], functions: [] }),
    database.ping(),
    database.listen!('news', () => {}),
    cancelled(database),
  ]
}

const isSoon = <T>(promise: Promise<T>): Promise<T | 'late'> =>
  Promise.race([promise, new Promise<'late'>((done) => setTimeout(done, 700, 'late'))])

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  isSoon(work).then(
    (outcome) => outcome !== 'late',
    () => false,
  )

t.setTimeout(180_000)

t.test('garbage from the database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const strays = collectStrays(t)

  for (const [what, spoil] of Object.entries(SPOILERS)) {
    await t.test(what, async (t) => {
      const { database, proxy } = await openBehind(t)
      // A busy machine may take longer to connect than the driver waits.
      await until(() => succeeds(database.ping()))
      const random = numbers(what.length)
      const change: Change = (bytes) => (random() < 0.2 ? spoiled(bytes, random, spoil) : bytes)
      const failures: unknown[] = []
      for (let round = 0; round < 6; round++) {
        proxy.change(change)
        const ended = await Promise.all(work(database).map((each) => isSoon(each.catch((error: unknown) => error))))
        failures.push(...ended.filter((outcome) => outcome instanceof Error))
        proxy.heal()
        // What waits for the rest of a message that never comes ends with its request: there is none here.
        if (ended.includes('late')) proxy.cut()
      }
      // A request of the last round may have ended in time on a connection that still waits for the rest of a message.
      proxy.cut()
      t.same(strays.splice(0), [], 'no error that nobody handles')
      t.ok(failures.length > 0, 'it was noticed')
      for (const failure of failures)
        t.ok(failure instanceof SvcError || 'severity' in (failure as object), String(failure))
      await until(() => succeeds(database.query(WRITE, [], null)))
      await until(async () => {
        const read = database.query(BARE, [], null)
        return (await succeeds(read)) && (await read).rows[0]?.[0] === '1'
      })
    })
  }
})

t.test('bytes that are no message of the protocol fail the statements in flight at once', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { database, proxy } = await openBehind(t)
  await until(() => succeeds(database.ping()))
  // As lengths, these bytes announce more than a gigabyte.
  proxy.change(() => Buffer.from('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  // It has no deadline, so that only the end of the connection ends it.
  await t.rejects(database.query(READ, [], null), { code: 'SERVICE_UNAVAILABLE' })
  proxy.heal()
  await until(() => succeeds(database.query(READ, [], null)))
})

t.test('a message that would be read without end, or from other memory, is an error', async (t) => {
  const gate = new RowGate(
    { maxBytes: Number.POSITIVE_INFINITY, refuse: () => false, takesRows: () => false, takeRow() {} },
    () => {},
  )
  const error = (fields: string) => {
    const body = Buffer.from(fields)
    return Buffer.concat([Buffer.from([0x45, 0, 0, 0, body.length + 4]), body])
  }
  gate.push(error('SERROR\0C22012\0\0'), false)
  const header = (type: string, length: number) => {
    const bytes = Buffer.from(`${type}1234`)
    bytes.writeUInt32BE(length, 1)
    return () => gate.push(bytes, false)
  }
  for (const [type, length] of [
    ['H', 0x5454502f],
    ['\0', 4],
    ['?', 4],
    ['C', 3],
    ['C', 2 << 20],
    ['D', 1 << 30],
    ['E', 16 << 20],
  ] as const)
    t.throws(header(type, length), /cannot be read/, `${type} ${length}`)
  for (const fields of ['SERROR\0C22012\0X', 'SERROR\0C22012X\0', 'X'])
    t.throws(() => gate.push(error(fields), false), /cannot be read/, JSON.stringify(fields))
  const row = (length: number) => {
    const bytes = Buffer.alloc(20)
    bytes.writeInt32BE(length, 2)
    return () => parseRow(bytes, 0, 9)
  }
  t.doesNotThrow(row(3))
  for (const length of [4, 1_000_000, -2, -4, -5, -2_147_483_648]) t.throws(row(length), RangeError, `${length}`)
})
