import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import t from 'tap'
import type { SupervisorMessage, WorkerMessage } from '../../../../core/cli/workers/messages.ts'
import { Questions } from '../../../../core/cli/workers/questions.ts'
import { shareDatabase } from '../../../../core/cli/workers/share-database.ts'
import { createWorkerPeers, linkToSupervisor } from '../../../../core/cli/workers/worker-link.ts'
import { restartDelay, WorkerPool } from '../../../../core/cli/workers/worker-pool.ts'
import type { WorkerSlot } from '../../../../core/cli/workers/worker-slot.ts'
import { configWith } from '../../../helpers/config.ts'

const configOf = (workers: number, pool_max: number, pool_min = 0) =>
  configWith({ server: { workers }, database: { pool_max, pool_min } })

t.test('the shares of all workers are the whole', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.nat(500), fc.nat(500), (workers, more, least) => {
      const config = configOf(workers, workers + more, least)
      const shares = Array.from({ length: workers }, (_, i) => shareDatabase(config, i + 1).database)
      const sum = (key: 'pool_max' | 'pool_min') => shares.reduce((total, share) => total + share[key], 0)
      const most = shares.map(({ pool_max }) => pool_max)
      return (
        sum('pool_max') === workers + more &&
        sum('pool_min') === least &&
        Math.min(...most) >= 1 &&
        Math.max(...most) - Math.min(...most) <= 1
      )
    }),
  )
  t.throws(() => shareDatabase(configOf(4, 3), 1), { code: 'SVC_CONFIG_INVALID', message: /server\.workers = 4/ })
})

t.test('a worker that dies again and again is started later each time', async (t) => {
  t.strictSame([0, 1, 2, 3, 4].map(restartDelay), [0, 100, 200, 400, 800])
  t.equal(restartDelay(1000), 30_000)
})

t.test('a process that no supervisor started is no worker, whatever its variables say', async (t) => {
  t.equal(linkToSupervisor({}), null)
  t.equal(linkToSupervisor({ SVC_WORKER: '1' }), null)
})

t.test('a question to all workers', async (t) => {
  const heard: number[] = []
  const slotOf = (hears: boolean) =>
    ({
      say(message: SupervisorMessage) {
        if (message.type === 'question') heard.push(message.question)
        return hears
      },
    }) as WorkerSlot
  const [one, two, deaf] = [slotOf(true), slotOf(true), slotOf(false)]
  const questions = new Questions()

  const first = questions.ask([one, deaf, two], 'x')
  const [id] = heard
  questions.hear(two, id!, ['b'])
  questions.hear(two, id!, ['again'])
  questions.hear(deaf, id!, ['not asked'])
  questions.hear(one, id!, ['a'])
  t.strictSame(await first, ['b', 'a'])
  questions.hear(one, id!, ['late'])

  const second = questions.ask([one, two], 'x')
  questions.hear(one, heard.at(-1)!, [1, 2])
  questions.gone(two)
  t.strictSame(await second, [1, 2], 'nobody waits for the dead')

  const started = performance.now()
  const third = questions.ask([one, two], 'x')
  questions.hear(two, heard.at(-1)!, [3])
  t.strictSame(await third, [3], 'nor for ever')
  t.ok(performance.now() - started > 900)
  t.strictSame(await questions.ask([deaf], 'x'), [])
})

interface FakeWorker extends EventEmitter {
  readonly heard: unknown[]
  /** What it was told to listen on. */
  readonly port: number | null
}

function openPool(): { readonly pool: WorkerPool; readonly forked: readonly FakeWorker[] } {
  const forked: FakeWorker[] = []
  const pool = new WorkerPool({
    count: 3,
    fork: (_index, port) => {
      const heard: unknown[] = []
      const kill = (signal: string) => heard.push(signal)
      const worker = Object.assign(new EventEmitter(), {
        heard,
        port,
        process: { pid: forked.length, kill },
        isConnected: () => true,
        send: ({ type }: SupervisorMessage) => heard.push(type),
      })
      forked.push(worker)
      return worker as never
    },
    log: { info() {}, warn() {}, error() {} } as never,
    stopTimeoutMs: 60_000,
    onReady() {},
  })
  return { pool, forked }
}

const listening = (port: number) => ({ type: 'listening', url: `http://127.0.0.1:${port}`, hash: 'x' })

t.test('a worker that picked a port of its own when all others were dying starts again on the known one', async (t) => {
  const { pool, forked } = openPool()
  for (const i of [0, 1, 2]) forked[i]!.emit('message', listening(4711))
  t.same(
    forked.map(({ port }) => port),
    [null, null, null],
  )
  forked[0]!.emit('exit', null, 'SIGKILL')
  while (forked.length < 4) await new Promise((resolve) => setTimeout(resolve, 20))
  // When it was forked the others seemed to live.
  for (const i of [1, 2]) forked[i]!.emit('exit', null, 'SIGKILL')
  forked[3]!.emit('message', listening(4712))
  t.same(
    forked[3]!.heard.filter((each) => each === 'SIGKILL'),
    ['SIGKILL'],
  )
  forked[3]!.emit('exit', null, 'SIGKILL')
  while (forked.length < 7) await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal(forked.at(-1)!.port, 4711)
  pool.stop()
  for (const i of [4, 5, 6]) forked[i]!.emit('exit', 0, null)
  await pool.finished
})

t.test('a service that stops while workers start ends them cleanly', async (t) => {
  const { pool, forked } = openPool()
  forked[0]!.emit('message', listening(1))
  t.equal(forked.length, 3, 'the others start when the first one serves')
  pool.stop()
  t.same(
    forked.map(({ heard }) => heard.filter((each) => each !== 'workers')),
    [['stop'], ['stop', 'SIGTERM'], ['stop', 'SIGTERM']],
    'what is said to one that still starts is lost',
  )
  forked[0]!.emit('exit', 0, null)
  forked[1]!.emit('exit', null, 'SIGTERM')
  forked[2]!.emit('exit', 0, null)
  t.equal(await pool.finished, 0)
})

t.test('a worker answers for itself when its supervisor is gone, and never with a failure', async (t) => {
  const said: WorkerMessage[] = []
  let connected = true
  const peers = createWorkerPeers(2, (message) => {
    if (connected) said.push(message)
    return connected
  })
  t.equal(peers.index, 2)
  peers.answer('size', () => 42)
  peers.answer('fails', () => Promise.reject(new Error('no')))
  const topics = ['size', 'fails', 'unknown']
  for (const [question, topic] of topics.entries()) peers.receive({ type: 'question', question, topic })
  await new Promise((resolve) => setTimeout(resolve, 10))
  const answers = new Map<number, readonly unknown[]>()
  for (const message of said) if (message.type === 'answer') answers.set(message.question, message.answers)
  t.strictSame([answers.get(0), answers.get(1), answers.get(2)], [[42], [], []])
  const asked = peers.ask('size')
  peers.receive({ type: 'answers', id: 99, answers: ['of another question'] })
  peers.receive({ type: 'answers', id: 1, answers: [1, 2] })
  t.strictSame(await asked, [1, 2])
  connected = false
  t.strictSame(await peers.ask('size'), [42])
})

t.test('a message of a worker reaches each other worker once', async (t) => {
  const said: WorkerMessage[] = []
  const peers = createWorkerPeers(1, (message) => said.push(message) > 0)
  peers.tell('forget', { id: 7 })
  t.strictSame(said, [{ type: 'tell', topic: 'forget', value: { id: 7 } }])
  const heard: unknown[] = []
  const warnings: Error[] = []
  process.once('warning', (warning) => warnings.push(warning))
  peers.hear('forget', () => {
    throw new Error('a listener of a plugin')
  })
  const end = peers.hear('forget', (value) => heard.push(value))
  peers.receive({ type: 'told', topic: 'forget', value: 1 })
  peers.receive({ type: 'told', topic: 'other', value: 2 })
  end()
  peers.receive({ type: 'told', topic: 'forget', value: 3 })
  t.strictSame(heard, [1])
  await new Promise((resolve) => setImmediate(resolve))
  t.match(warnings, [{ message: 'a listener of a plugin' }])
})
