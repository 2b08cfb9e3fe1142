import { openRedis, type RedisConnection, type Scope } from '../../core/doors/plugin.ts'
import type { HealthFinding } from './api.ts'

/** Asks key-value servers whether they are there, over the connections that the plugins have to them. */
export class StoreChecks {
  readonly #scope: Scope
  /** By URL: several plugins keep something in one server. */
  readonly #connections = new Map<string, Promise<RedisConnection>>()

  constructor(scope: Scope) {
    this.#scope = scope
    scope.onClose(async () => {
      for (const connection of this.#connections.values()) await (await connection).close()
    })
  }

  /** @returns a finding that names no host */
  async check(url: string, isNeeded: boolean): Promise<HealthFinding> {
    const isConnected = await this.#ping(url)
    return { ok: isConnected || !isNeeded, backend: 'kvstore', connected: isConnected }
  }

  async #ping(url: string): Promise<boolean> {
    let connection = this.#connections.get(url)
    if (connection === undefined) {
      connection = openRedis(url, { signals: this.#scope.signals })
      this.#connections.set(url, connection)
    }
    try {
      await (await connection).call('PING')
      return true
    } catch {
      return false
    }
  }
}
