import t from 'tap'
import type { ChildConnection } from '../../../plugins/sqlite/child-connection.ts'
import { ConnectionPool } from '../../../plugins/sqlite/connection-pool.ts'

/** Stands for a process; its end and its opening are the test's. */
function fakeConnection() {
  let end = (): void => {}
  const fake = {
    broken: false,
    idleSince: 0,
    ended: new Promise<void>((resolve) => (end = resolve)),
    onQuiet: (then: () => void) => then(),
    close: async () => end(),
    die() {
      fake.broken = true
      end()
    },
  }
  return fake
}

t.test('a statement that waits for a connection fails when opening it fails', async (t) => {
  const first = fakeConnection()
  const openings: PromiseWithResolvers<ChildConnection>[] = []
  const pool = new ConnectionPool({ min: 1, max: 1, acquireTimeoutMs: 60_000, idleTimeoutMs: 60_000 }, () => {
    const opening = withResolvers()
    openings.push(opening)
    return opening.promise
  })
  const opened = pool.openFirst()
  openings[0]!.resolve(first as unknown as ChildConnection)
  await opened
  first.die()
  await first.ended
  await new Promise(setImmediate)
  t.equal(openings.length, 2, 'another one is opened before anybody asks')
  const waiting = pool.acquire(null)
  openings[1]!.reject(new Error('no such folder'))
  await t.rejects(waiting, {
    code: 'SERVICE_UNAVAILABLE',
    message: /cannot be opened/,
    cause: { message: 'no such folder' },
  })
  const next = pool.acquire(null)
  const second = fakeConnection()
  openings[2]!.resolve(second as unknown as ChildConnection)
  t.equal(await next, second as unknown)
  pool.release(second as unknown as ChildConnection)
  await pool.close()
  t.equal(pool.connected, false)
})

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

function withResolvers(): PromiseWithResolvers<ChildConnection> {
  let resolve: (value: ChildConnection) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<ChildConnection>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
