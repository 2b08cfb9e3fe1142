import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Auth } from '../../../core/doors/plugin.ts'
import { LEGACY_VERSIONS } from '../protocol/versions.ts'
import { ownerOf } from './owner-of.ts'

const FORM = /^([0-9-]{10})\.([0-9a-f-]{36})\.([0-9a-f]{32})$/
/** Ends that are remembered. */
const MOST_ENDED = 10_000
const REMEMBERED_MS = 86_400_000

/**
 * Sessions of clients that begin with `initialize`. A session gives no right: each request brings its credential. All that
 * it holds, its revision of the protocol and whose it is, stands in its id; so any process of any machine takes any of them, a
 * restart ends none, and however many clients there are, nothing is kept of them. What is kept is that one has ended.
 */
export class Sessions {
  readonly #ended = new LRUCache<string, true>({ max: MOST_ENDED, ttl: REMEMBERED_MS })

  begin(version: string, auth: Auth | null): string {
    const random = randomUUID()
    return `${version}.${random}.${digest(version, random, auth)}`
  }

  /** Its revision of the protocol; `null`: there is no such session, or it is somebody else's, or it has ended. */
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

  /** Those that have ended, for a process that has heard of none. */
  get ended(): readonly string[] {
    return [...this.#ended.keys()].reverse()
  }
}

/** It tells a session that was mixed up, and is no secret. */
function digest(version: string, random: string, auth: Auth | null): string {
  const owner = auth === null ? 'nobody' : ownerOf(auth)
  return createHash('sha256').update(`${version}.${random}.${owner}`).digest('hex').slice(0, 32)
}
