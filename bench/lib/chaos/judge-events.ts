/** One committed change, as stored in the database. */
export interface CommittedChange {
  readonly item: string
  readonly kind: string
  /** Counts the changes of an item. */
  readonly version: number
}

/** One call of the webhook, in order of arrival. */
export interface HeardChange extends CommittedChange {
  readonly eventId: string
}

export interface Verdict {
  readonly committed: number
  /** Calls, including repeated ones. */
  readonly calls: number
  /** Committed changes without a call. */
  readonly missing: number
  /** Repeated calls for a change, under the same id. */
  readonly repeated: number
  /** Changes with several ids, or an id of several changes. */
  readonly otherId: number
  /** Told and never committed. */
  readonly invented: number
  /** Told for the first time behind a later change of its item. */
  readonly outOfOrder: number
  /** The first few errors of each kind. */
  readonly examples: readonly string[]
}

const EXAMPLES = 3

/** Compares the events of a receiver with the committed changes. */
export function judgeEvents(committed: readonly CommittedChange[], heard: readonly HeardChange[]): Verdict {
  const examples: string[] = []
  const wrong = { missing: 0, otherId: 0, invented: 0, outOfOrder: 0 }
  function found(what: keyof typeof wrong, words: string): void {
    if (++wrong[what] <= EXAMPLES) examples.push(`${what}: ${words}`)
  }

  const known = new Set(committed.map(keyOf))
  const idOf = new Map<string, string>()
  const changeOf = new Map<string, string>()
  const last = new Map<string, number>()
  let repeated = 0
  for (const change of heard) {
    const key = keyOf(change)
    const { eventId, item, kind, version } = change
    if (!known.has(key)) found('invented', `${key}, event ${eventId}`)
    const id = idOf.get(key)
    const other = changeOf.get(eventId)
    if (id !== undefined && id !== eventId) found('otherId', `${key} as ${id}, then as ${eventId}`)
    else if (other !== undefined && other !== key) found('otherId', `${eventId} for ${other}, then for ${key}`)
    else if (id !== undefined) repeated++
    changeOf.set(eventId, other ?? key)
    if (id !== undefined) continue
    idOf.set(key, eventId)
    // Each observer receives the events of an item in order; observers do not wait for each other.
    const lane = `${kind} ${item}`
    const before = last.get(lane) ?? 0
    if (version < before) found('outOfOrder', `${key} behind version ${before}`)
    last.set(lane, Math.max(before, version))
  }
  for (const key of known) if (!idOf.has(key)) found('missing', key)
  return { committed: known.size, calls: heard.length, repeated, ...wrong, examples }
}

function keyOf({ item, kind, version }: CommittedChange): string {
  // A row is deleted once. Its last values are those of the read, which may precede its last change.
  return kind === 'DELETE' ? `${item} DELETE` : `${item} ${kind} ${version}`
}
