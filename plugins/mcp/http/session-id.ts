import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Auth } from '../../../core/doors/plugin.ts'
import { LEGACY_VERSIONS } from '../protocol/versions.ts'
import { ownerOf } from './owner-of.ts'

const FORM = /^([0-9-]{10})\.([0-9a-f-]{36})\.([0-9a-f]{32})$/
/** Number of ended sessions that a process remembers. */
const MOST_ENDED = 10_000
const REMEMBERED_MS = 86_400_000

/**
 * Sessions of MCP clients that begin with `initialize`. A session grants no access. Its id contains its whole state,
 * the protocol revision and the owner, so that every process can serve it, even after a restart. A process only
 * remembers ended sessions.
 */
export class Sessions {
  readonly #ended = new LRUCache<string, true>({ max: MOST_ENDED, ttl: REMEMBERED_MS })

  begin(version: string, auth: Auth | null): string {
    const random = randomUUID()
    return `${version}.${random}.${digest(version, random, auth)}`
  }

  /** Returns the revision of a session; `null` when the id is invalid, the session belongs to another caller or it has ended. */
  versionOf(id: string, auth: Auth | null): string | null {
    const found = FORM.exec(id)
    if (found === null || this.#ended.has(id)) return null
    const [, version = '', random = '', given] = found
    const isKnown = LEGACY_VERSIONS.some((one) => one === version)
    return isKnown && digest(version, random, auth) === given ? version : null
  }

  end(id: string): void {
    this.#ended.set(id, true)
  }

  /** Ended sessions, for a process that has just started. */
  get ended(): readonly string[] {
    return [...this.#ended.keys()].reverse()
  }
}

/** A checksum that detects a wrong id. It is not a secret. */
function digest(version: string, random: string, auth: Auth | null): string {
  const owner = auth === null ? 'nobody' : ownerOf(auth)
  return createHash('sha256').update(`${version}.${random}.${owner}`).digest('hex').slice(0, 32)
}
