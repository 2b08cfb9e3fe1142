import { setTimeout as sleep } from 'node:timers/promises'
import { type Health, unavailable } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import { Connection, type StatementKiller } from './connection.ts'
import type { ConnectionAttempts } from './connection-options.ts'
import { connectRaw, type RawConnection } from './raw-connection.ts'
import { isOutOfConnections, isServerError } from './read-error.ts'
import { runText } from './run-script.ts'
import { clientOf, readIsReadOnly, type ServerFacts, setUpSession } from './server-session.ts'

/** How often a server that refuses writes is asked whether it takes them again. */
const READ_ONLY_MS = 1000
/** Number of attempts to open the first connection, and their longest delay: about two seconds in all. */
const MOST_TRIES = 8
const TRY_AGAIN_MS = 100
/** How long a kill waits for a connection of the pool that makes room for its own. */
const ROOM_MS = 2000
const UNKNOWN_THREAD = 1094

interface OpenedSession {
  readonly raw: RawConnection
  readonly facts: ServerFacts
}

/** Opens a connection, and sets up its session. @throws the error of connecting */
async function openSession(attempts: ConnectionAttempts): Promise<OpenedSession> {
  const raw = await connectRaw(attempts)
  try {
    return { raw, facts: await setUpSession(raw) }
  } catch (error) {
    raw.stream.destroy()
    throw error
  }
}

/**
 * Creates the function that opens connections to the database, and reports their success to the health of the database.
 */
export function createOpener(
  attempts: ConnectionAttempts,
  health: Health,
  killer: SideKiller,
  check: (facts: ServerFacts) => void,
) {
  let standing = 0
  return async (): Promise<Connection> => {
    try {
      const { raw, facts } = await openFirst(attempts, () => standing)
      const connection = new Connection(raw, facts, killer)
      try {
        check(facts)
      } catch (error) {
        connection.destroy()
        throw error
      }
      standing++
      void connection.ended.then(() => {
        standing--
        health.closed()
      })
      health.opened(facts.isReadOnly)
      void killer.warm()
      return connection
    } catch (error) {
      health.failed(error)
      throw error
    }
  }
}

/**
 * Retries the first connection. Connections that are requested at the same time count against each other on the server, so
 * that it may refuse all of them.
 */
async function openFirst(attempts: ConnectionAttempts, standing: () => number): Promise<OpenedSession> {
  for (let tries = 1; ; tries++) {
    try {
      return await openSession(attempts)
    } catch (error) {
      if (standing() > 0 || tries === MOST_TRIES || !isOutOfConnections(error)) throw error
      await sleep(Math.random() * TRY_AGAIN_MS * tries)
    }
  }
}

/** Finds out when a server that refuses writes takes them again. Open sessions take them then, too. */
export class ReadOnlyWatch {
  readonly #health: Health
  readonly #use: (work: (connection: Connection) => Promise<void>) => Promise<void>
  #timer: NodeJS.Timeout | null = null

  /** @param use lends a connection of the pool */
  constructor(health: Health, use: (work: (connection: Connection) => Promise<void>) => Promise<void>) {
    this.#health = health
    this.#use = use
  }

  /** The server has refused a write. */
  refused(): void {
    this.#health.reported(true)
    this.watch()
  }

  /** Begins to watch, if the server is known to refuse writes. */
  watch(): void {
    if (!this.#health.isReadOnly || this.#timer !== null) return
    this.#timer = setTimeout(() => void this.#look(), READ_ONLY_MS)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    await this.#use(async ({ raw, facts }) => {
      this.#health.reported(await readIsReadOnly(raw, facts.isMariaDb))
    }).catch(() => {})
    this.#timer = null
    this.watch()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}

interface SideKillerOptions {
  readonly attempts: ConnectionAttempts
  /** Closes a connection of the pool, because the server refuses one more. @returns `true` if there was one to spare */
  readonly makeRoom: (error: unknown) => Promise<boolean>
}

/**
 * Kills statements through a connection of its own. It is opened with the first connection of the pool, because later
 * the statements to kill may occupy all that the server grants.
 */
export class SideKiller implements StatementKiller {
  readonly #options: SideKillerOptions
  #side: Promise<OpenedSession> | null = null
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(options: SideKillerOptions) {
    this.#options = options
  }

  /** Opens the connection before it is needed. If that fails, the next kill tries again. */
  async warm(): Promise<void> {
    if (this.#isClosed) return
    await (this.#side ?? this.#open(() => openSession(this.#options.attempts))).catch(() => {})
  }

  /** @throws if the statement may still run, also because a proxy hides the server of the session */
  kill(facts: ServerFacts): Promise<void> {
    const killed = this.#last.then(() => this.#kill(facts))
    this.#last = killed.catch(() => {})
    return killed
  }

  async #kill({ sessionId, server, client }: ServerFacts): Promise<void> {
    if (client === null) throw unavailable('A proxy hides the session of the statement')
    const { raw, facts } = await (this.#side ?? this.#open(() => this.#openInRoom()))
    if (facts.server !== server) {
      this.#drop(raw)
      throw unavailable(`The statement runs on another server than ${facts.server}`)
    }
    try {
      const [[found] = []] = await runText(raw, clientOf(sessionId))
      if (found === undefined || String(found) !== client)
        throw unavailable(`Session ${sessionId} of ${server} is not that of the statement`)
      await runText(raw, `KILL QUERY ${sessionId}`)
    } catch (error) {
      if (isServerError(error) && error.errno === UNKNOWN_THREAD) return
      if (!(error instanceof SvcError)) this.#drop(raw)
      throw error
    }
  }

  #open(open: () => Promise<OpenedSession>): Promise<OpenedSession> {
    const side = open()
    const forget = (): void => {
      if (this.#side === side) this.#side = null
    }
    side.then(({ raw }) => {
      raw.stream.once('close', forget)
      if (this.#isClosed) this.#drop(raw)
    }, forget)
    this.#side = side
    return side
  }

  async #openInRoom(): Promise<OpenedSession> {
    try {
      return await openSession(this.#options.attempts)
    } catch (error) {
      if (!isOutOfConnections(error)) throw error
      const made = await Promise.race([this.#options.makeRoom(error), sleep(ROOM_MS, false, { ref: false })])
      if (!made) throw error
      return openSession(this.#options.attempts)
    }
  }

  #drop(raw: RawConnection): void {
    this.#side = null
    raw.end(() => raw.stream.destroy())
  }

  close(): void {
    this.#isClosed = true
    this.#side?.then(
      ({ raw }) => this.#drop(raw),
      () => {},
    )
  }
}
