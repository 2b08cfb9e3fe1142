import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { writeBenchProject } from '../bench-project.ts'
import { childrenOf } from '../process-tree.ts'
import { compileProject, type SvcProcess, startSvc } from '../svc-process.ts'
import { openEventSink } from './event-sink.ts'
import { findSocketOwner } from './find-socket-owner.ts'
import { type ItemSubscriber, openItemSubscriber } from './item-subscriber.ts'
import { ITEMS_SQL, itemsSchema } from './items.ts'
import { type CommittedChange, type HeardChange, judgeEvents, type Verdict } from './judge-events.ts'
import { judgeSubscriber, type SubscriberVerdict } from './judge-subscriber.ts'
import { type LoadCounts, runMutationLoad } from './mutation-load.ts'
import type { OwnService } from './own-process.ts'

/** Target of the kill: the delivering process, all processes of the server, the bus, the database. */
export type Victim = 'relay' | 'server' | 'bus' | 'database'

export interface ChaosOptions {
  readonly backend: string
  /** Changes that are committed. */
  readonly mutations: number
  /** Targets of the kills in their order, spread over the load. */
  readonly victims: readonly Victim[]
  readonly connections: number
  /** Workers of each server. */
  readonly workers: number
  /** Servers that share the backend, each of them a process of its own behind no common parent. */
  readonly servers: number
  /** Share of calls that the sink refuses. */
  readonly failing: number
  /** Duration of each call in the receiver. */
  readonly slowMs: number
  readonly database: OwnService
  readonly bus: OwnService | null
  /** More of `[observers]`. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** The sources, where there may be no build of them. */
  readonly fromSource?: boolean
  /**
   * In memory: undelivered events of a killed process are lost, no event is delivered twice, and events are in the
   * order in which the process learns of commits.
   */
  readonly atMostOnce: boolean
  readonly say: (line: string) => void
}

export interface ChaosResult extends LoadCounts {
  readonly backend: string
  readonly servers: number
  readonly kills: Readonly<Record<string, number>>
  readonly loadMs: number
  /** Time from the first mutation to the last delivery. */
  readonly toldMs: number
  readonly verdict: Verdict
  /** Events of a subscriber with `replay`; `null`: the backend stores none. */
  readonly subscriber: (SubscriberVerdict & { readonly reconnects: number; readonly errors: readonly string[] }) | null
  /** Pending or abandoned deliveries. */
  readonly left: number
  readonly ok: boolean
}

/** Downtime of a killed target, long enough to be noticed. */
const AWAY_MS = 700
/** Silence after which all living processes count as idle. */
const SILENCE_MS = 2000
const SETTLE_MS = 180_000

/** Kills the targets in turn under load, and compares the events of the receiver with the database. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { backend, database, bus, say } = options
  const name = `chaos_${backend.replace('-', '_')}`
  const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href
  await query(database.url, `CREATE DATABASE ${name}`)
  await query(url, ITEMS_SQL)
  const sink = await openEventSink(options.failing, options.slowMs)
  const observers = { enabled: true, backend, allow_hosts: [sink.host], ...options.settings }
  const isKept = !options.atMostOnce
  const project = writeBenchProject(itemsSchema(sink.url, isKept), {
    server: { workers: options.workers },
    plugins: { enable: isKept ? ['subscriptions', 'sse'] : [] },
    observers,
  })
  const kills: Record<string, number> = {}
  const start = (): Promise<SvcProcess> =>
    startSvc({ project: project.dir, databaseUrl: url, ...(options.fromSource ? { fromSource: true } : {}) })
  const servers: SvcProcess[] = []
  let asked = 0
  /** Returns the servers in turn; a server that is being killed does not answer, and is not called again at once. */
  const nextUrl = (): string => servers[asked++ % servers.length]!.url
  let subscriber: ItemSubscriber | null = null
  try {
    compileProject(project.dir, url, options.fromSource)
    for (let i = 0; i < options.servers; i++) servers.push(await start())
    if (isKept) subscriber = await openItemSubscriber(nextUrl)
    const started = performance.now()
    const planned = options.victims.map((victim, index) => ({
      victim,
      at: Math.round((options.mutations * (index + 1)) / (options.victims.length + 1)),
    }))
    let killing: Promise<void> = Promise.resolve()
    const counts = await Promise.race([
      runMutationLoad({
        url: nextUrl,
        connections: options.connections,
        committed: options.mutations,
        onCommitted(count) {
          while (planned[0] !== undefined && planned[0].at <= count) {
            const { victim } = planned.shift()!
            killing = killing.then(() => kill(victim))
          }
        },
      }),
      // A target that does not come back ends the run.
      new Promise<never>((_, fail) => setImmediate(() => void killing.catch(fail))),
    ])
    await killing
    const loadMs = performance.now() - started
    say(
      `${backend}: ${counts.committed} committed in ${(loadMs / 1000).toFixed(1)} s, ${sink.heard.length} calls so far`,
    )
    const left = await settle(url, backend, () => sink.heard.length + (subscriber?.heard.length ?? 0))
    const toldMs = performance.now() - started - SILENCE_MS
    const committed = await ledger(url)
    const verdict = judgeEvents(committed, sink.heard)
    const kept = subscriber === null ? null : judgeKept(committed, sink.heard, subscriber)
    const { missing, otherId, invented, outOfOrder, repeated } = verdict
    const { calls } = verdict
    const isWrong = otherId + invented + left > 0 || calls === 0
    const isKeptRight = kept === null || kept.examples.length + kept.errors.length === 0
    const ok = !isWrong && isKeptRight && (options.atMostOnce ? repeated === 0 : missing + outOfOrder === 0)
    return { backend, servers: options.servers, kills, loadMs, toldMs, verdict, subscriber: kept, left, ok, ...counts }
  } finally {
    await subscriber?.close()
    for (const server of servers) await server.stop()
    project.remove()
    await sink.close()
    await query(database.url, `DROP DATABASE ${name} WITH (FORCE)`)
  }

  async function kill(victim: Victim): Promise<void> {
    say(`${backend}: ${victim} is killed, ${sink.heard.length} calls so far`)
    kills[victim] = (kills[victim] ?? 0) + 1
    if (victim === 'relay') {
      const { from, to } = sink.lastCall ?? { from: 0, to: 0 }
      const owner = findSocketOwner(servers.flatMap(processesOf), from, to)
      const place = Math.max(
        0,
        servers.findIndex((server) => processesOf(server).includes(owner ?? -1)),
      )
      const { pid } = servers[place]!
      const worker = owner ?? childrenOf(pid)[0] ?? pid
      // A worker is started anew by its server; a server without workers is not.
      if (worker === pid) await replace(place)
      else process.kill(worker, 'SIGKILL')
    } else if (victim === 'server') await replace((kills[victim]! - 1) % servers.length)
    else {
      const service = victim === 'bus' ? bus! : database
      await service.kill()
      await sleep(AWAY_MS)
      // The first time, and every other time, it comes back empty.
      if (service.forget !== null && kills[victim]! % 2 === 1) service.forget()
      await service.start()
    }
  }

  async function replace(place: number): Promise<void> {
    for (const pid of processesOf(servers[place]!)) process.kill(pid, 'SIGKILL')
    servers[place] = await start()
  }
}

/** The server and its workers. */
function processesOf({ pid }: SvcProcess): readonly number[] {
  return [pid, ...childrenOf(pid)]
}

function judgeKept(
  committed: readonly CommittedChange[],
  told: readonly HeardChange[],
  { heard, reconnects, errors }: ItemSubscriber,
): NonNullable<ChaosResult['subscriber']> {
  return { ...judgeSubscriber(committed, told, heard), reconnects, errors: errors.slice(0, 3) }
}

/** Waits until no delivery is in progress. @returns the remaining deliveries */
async function settle(url: string, backend: string, heard: () => number): Promise<number> {
  const deadline = performance.now() + SETTLE_MS
  let last = -1
  let left = 0
  let quietSince = performance.now()
  while (performance.now() < deadline) {
    left = backend === 'in-memory' ? 0 : await unfinished(url)
    if (left > 0 || heard() !== last) quietSince = performance.now()
    last = heard()
    if (performance.now() - quietSince >= SILENCE_MS) break
    await sleep(200)
  }
  return left
}

async function unfinished(url: string): Promise<number> {
  const [row] = await query(
    url,
    `SELECT (SELECT count(*) FROM svc_outbox WHERE position > (SELECT position FROM svc_event_relay)) +
      (SELECT count(*) FROM svc_event_deliveries) AS left`,
  )
  return Number(row!.left)
}

async function ledger(url: string): Promise<readonly CommittedChange[]> {
  return (await query(url, 'SELECT item::text, kind, version FROM tb_ledger')) as never
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
