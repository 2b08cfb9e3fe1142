import { randomUUID } from 'node:crypto'
import { SERVICES, type ServiceName, type TestLike } from '../../helpers/services.ts'

export type BusName = 'kvstore' | 'msgbus' | 'mariadb'

/** Which service each stands on. */
export const BUSES: Readonly<Record<BusName, ServiceName>> = { kvstore: 'redis', msgbus: 'nats', mariadb: 'mariadb' }

/** Of the section `[observers]`. */
export const KEYS = { kvstore: 'kvstore_url', msgbus: 'msgbus_url', mariadb: 'mariadb_url' } as const

export interface BusSetup {
  readonly options: Readonly<Record<string, string>>
  /** Throws away all that the bus has. */
  readonly wipe: () => Promise<void>
  /** Says something on a channel to whoever listens to it by now. */
  readonly say: (channel: string, text: string) => Promise<void>
}

/** A stream of the test's own on the real server, removed when it ends. */
export async function setUpBus(t: TestLike, name: BusName): Promise<BusSetup> {
  const stream = `svc_test_${randomUUID().slice(0, 8)}`
  const { host, port } = SERVICES[BUSES[name]]
  const { options, wipe, say, end } = await (name === 'kvstore' ? redis : name === 'msgbus' ? nats : mariadb)(
    stream,
    host,
    port,
  )
  t.teardown(async () => {
    await wipe().catch(() => {})
    await end()
  })
  return { options: { backend: name, stream, ...options }, wipe, say }
}

interface Opened extends BusSetup {
  readonly end: () => Promise<void>
}

async function redis(stream: string, host: string, port: number): Promise<Opened> {
  const { Redis } = await import('ioredis')
  const client = new Redis({ host, port })
  return {
    options: { kvstore_url: `redis://${host}:${port}` },
    wipe: async () => void (await client.del(stream)),
    say: async (channel, text) => void (await client.publish(channel, text)),
    end: async () => client.disconnect(),
  }
}

async function nats(stream: string, host: string, port: number): Promise<Opened> {
  const { connect } = await import('@nats-io/transport-node')
  const { jetstreamManager } = await import('@nats-io/jetstream')
  const connection = await connect({ servers: `${host}:${port}` })
  const jsm = await jetstreamManager(connection)
  return {
    options: { msgbus_url: `nats://${host}:${port}`, subject_prefix: stream },
    wipe: async () => void (await jsm.streams.delete(stream)),
    say: async (channel, text) => {
      connection.publish(channel, text)
      await connection.flush()
    },
    end: () => connection.close(),
  }
}

async function mariadb(stream: string, host: string, port: number): Promise<Opened> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({ host, port, user: 'root' })
  await connection.query('CREATE DATABASE IF NOT EXISTS svc_test_events')
  const table = `svc_test_events.${stream}`
  return {
    options: { mariadb_url: `mysql://root@${host}:${port}/svc_test_events` },
    wipe: async () => void (await connection.query(`DROP TABLE IF EXISTS ${table}, ${table}_messages`)),
    say: async (channel, text) =>
      void (await connection.query(`INSERT INTO ${table}_messages (channel, message) VALUES (?, ?)`, [channel, text])),
    end: () => connection.end(),
  }
}
