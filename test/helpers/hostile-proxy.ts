import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestLike } from './services.ts'

/** Changes the bytes of a server on their way to the client. @returns the bytes that arrive; `null` ends the connection */
export type Change = (bytes: Buffer) => Buffer | null

/** A TCP proxy that treats connections as bad networks and broken servers do. Each fault holds until `heal`. */
export interface HostileProxy {
  readonly port: number
  /** Connections that were opened through it so far. */
  readonly opened: number
  /** Cuts all connections; new ones get through. */
  cut(): void
  /** Refuses new connections (they are closed at once). */
  refuse(): void
  /** Answers are changed. */
  change(change: Change): void
  /** Answers arrive in pieces of so many bytes, with so much time between them. */
  drip(bytes: number, everyMs: number): void
  /** Nothing gets through any more, and neither side is closed. */
  freeze(): void
  /**
   * Once, when a client sends this text. `request`: the connection is cut before the server sees it. `answer`: the server gets it, and
   * the connection is cut when its answer comes, which is lost.
   * @returns resolves when the connection was cut
   */
  loseAt(text: string, part: 'request' | 'answer'): Promise<void>
  /**
   * Instead of its next answer a connection gets these bytes without end, as fast as the client reads. New ones, too.
   * @param when `now`: those that exist do not wait for an answer
   */
  flood(bytes: Buffer, when?: 'now'): void
  /** Bytes that were sent in floods, and connections that get one now. */
  readonly flooded: { readonly bytes: number; readonly connections: number }
  /** Ends all faults but the floods that have begun. Connections that exist stay. */
  heal(): void
}

interface Trap {
  readonly text: string
  readonly part: 'request' | 'answer'
  readonly sprung: () => void
}

interface Faults {
  refuses: boolean
  change: Change | null
  drip: { readonly bytes: number; readonly everyMs: number } | null
  trap: Trap | null
  flood: Buffer | null
  flooded: { bytes: number; connections: number }
}

class Pair {
  readonly #client: Socket
  readonly #server: Socket
  readonly #faults: Faults
  #answerIsLost: (() => void) | null = null
  #sending: Promise<void> = Promise.resolve()
  #isFlooded = false

  constructor(client: Socket, server: Socket, faults: Faults) {
    this.#client = client
    this.#server = server
    this.#faults = faults
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      socket.on('close', () => this.cut())
    }
    client.on('data', (bytes) => this.#request(bytes))
    server.on('data', (bytes) => this.#answer(bytes))
  }

  cut(): void {
    this.#client.destroy()
    this.#server.destroy()
  }

  pause(): void {
    this.#client.pause()
    this.#server.pause()
  }

  resume(): void {
    this.#client.resume()
    this.#server.resume()
  }

  #request(bytes: Buffer): void {
    const { trap } = this.#faults
    if (trap !== null && bytes.includes(trap.text)) {
      this.#faults.trap = null
      if (trap.part === 'request') {
        this.cut()
        trap.sprung()
        return
      }
      this.#answerIsLost = trap.sprung
    }
    this.#server.write(bytes)
  }

  #answer(bytes: Buffer): void {
    if (this.#answerIsLost !== null) {
      this.cut()
      this.#answerIsLost()
      return
    }
    const { change, flood } = this.#faults
    if (this.#isFlooded || flood !== null) {
      if (flood !== null) void this.flood(flood)
      return
    }
    const changed = change === null ? bytes : change(bytes)
    if (changed === null) this.cut()
    else this.#sending = this.#sending.then(() => this.#send(changed))
  }

  async flood(bytes: Buffer): Promise<void> {
    if (this.#isFlooded) return
    this.#isFlooded = true
    const { flooded } = this.#faults
    flooded.connections++
    // The client leaves by closing, or by resetting the connection under what is written.
    const gone = new Promise<void>((resolve) => this.#client.once('close', () => resolve()))
    while (!this.#client.destroyed) {
      flooded.bytes += bytes.length
      const drained = new Promise<void>((resolve) => this.#client.write(bytes, () => resolve()))
      await Promise.race([drained, gone])
      await pause(0)
    }
    flooded.connections--
  }

  async #send(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { drip } = this.#faults
      const end = drip === null ? bytes.length : at + drip.bytes
      if (this.#client.destroyed) return
      this.#client.write(bytes.subarray(at, end))
      at = end
      if (drip !== null) await pause(drip.everyMs)
    }
  }
}

/** Starts a proxy to `host:port`, closed when the test ends. */
export async function createHostileProxy(t: TestLike, host: string, port: number): Promise<HostileProxy> {
  const faults: Faults = {
    refuses: false,
    change: null,
    drip: null,
    trap: null,
    flood: null,
    flooded: { bytes: 0, connections: 0 },
  }
  const pairs = new Set<Pair>()
  let opened = 0
  let isFrozen = false
  const server = createServer((client) => {
    if (faults.refuses) return void client.destroy()
    opened++
    const pair = new Pair(client, connect(port, host), faults)
    pairs.add(pair)
    client.on('close', () => pairs.delete(pair))
    if (isFrozen) pair.pause()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const cut = (): void => {
    for (const pair of pairs) pair.cut()
  }
  t.teardown(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    cut()
    await closed
  })
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get opened() {
      return opened
    },
    cut,
    refuse() {
      faults.refuses = true
    },
    change(change) {
      faults.change = change
    },
    drip(bytes, everyMs) {
      faults.drip = { bytes, everyMs }
    },
    freeze() {
      isFrozen = true
      for (const pair of pairs) pair.pause()
    },
    loseAt(text, part) {
      return new Promise((sprung) => {
        faults.trap = { text, part, sprung }
      })
    },
    flood(bytes, when) {
      faults.flood = bytes
      if (when === 'now') for (const pair of pairs) void pair.flood(bytes)
    },
    get flooded() {
      return faults.flooded
    },
    heal() {
      Object.assign(faults, { refuses: false, change: null, drip: null, trap: null, flood: null })
      isFrozen = false
      for (const pair of pairs) pair.resume()
    },
  }
}
