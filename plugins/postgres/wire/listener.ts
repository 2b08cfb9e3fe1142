import { unavailable } from '../../../core/doors/driver.ts'
import type { Connection } from './connection.ts'
import { pgModule } from './pg-module.ts'

const RETRY_MS = 1000

type Listen = (payload: string) => void
type Gap = () => void

/**
 * Receives PostgreSQL notifications (LISTEN) on a connection of its own. After a lost connection it listens again, and
 * calls the callback for gaps, because notifications sent in between are lost.
 */
export class Listener {
  readonly #open: () => Promise<Connection>
  /** Message callbacks by channel, each with its callback for possible gaps. */
  readonly #channels = new Map<string, Map<Listen, Gap>>()
  #connection: Promise<Connection> | null = null
  #retry: NodeJS.Timeout | null = null
  #closed = false

  constructor(open: () => Promise<Connection>) {
    this.#open = open
  }

  /**
   * Subscribes to a channel.
   * @param onGap called when the channel is listened to again after the connection was lost
   * @returns the function that unsubscribes
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  async listen(channel: string, onMessage: Listen, onGap: Gap = () => {}): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Map<Listen, Gap>()
    this.#channels.set(channel, listeners)
    listeners.set(onMessage, onGap)
    try {
      await run(await this.#connect(), `LISTEN ${pgModule.escapeIdentifier(channel)}`)
    } catch (error) {
      await this.#unlisten(channel, onMessage)
      throw unavailable('The database cannot be reached.', error)
    }
    return () => this.#unlisten(channel, onMessage)
  }

  async #unlisten(channel: string, onMessage: Listen): Promise<void> {
    const listeners = this.#channels.get(channel)
    listeners?.delete(onMessage)
    if (listeners === undefined || listeners.size > 0) return
    this.#channels.delete(channel)
    const connection = await this.#connection?.catch(() => null)
    if (!connection || connection.broken) return
    await run(connection, `UNLISTEN ${pgModule.escapeIdentifier(channel)}`).catch(() => {})
  }

  #connect(): Promise<Connection> {
    this.#connection ??= this.#openConnection()
    return this.#connection
  }

  async #openConnection(): Promise<Connection> {
    try {
      const connection = await this.#open()
      connection.client.on('notification', ({ channel, payload }) => {
        for (const listener of this.#channels.get(channel)?.keys() ?? []) notify(listener, payload ?? '')
      })
      void connection.ended.then(() => this.#lost())
      return connection
    } catch (error) {
      this.#connection = null
      throw error
    }
  }

  #lost(): void {
    this.#connection = null
    if (this.#closed || this.#channels.size === 0) return
    this.#retry = setTimeout(() => void this.#resume(), RETRY_MS)
    this.#retry.unref()
  }

  async #resume(): Promise<void> {
    try {
      const connection = await this.#connect()
      for (const [channel, listeners] of [...this.#channels]) {
        await run(connection, `LISTEN ${pgModule.escapeIdentifier(channel)}`)
        for (const onGap of listeners.values()) onGap()
      }
    } catch {
      this.#lost()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    const connection = await this.#connection?.catch(() => null)
    await connection?.close()
  }
}

/** Calls a listener. An error in one listener does not end the connection of all. */
function notify(listener: Listen, payload: string): void {
  try {
    listener(payload)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

function run(connection: Connection, sql: string): Promise<unknown> {
  return connection.client.query(sql)
}
