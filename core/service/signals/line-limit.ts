import type { Signal } from '../../contract/signals.ts'

const MINUTE_MS = 60_000
/**
 * Maximum number of log lines per minute of one kind: a signal type that clients can cause, or a message of a plugin.
 */
export const MOST_LINES = 300
/**
 * Maximum number of log lines per minute for one signal type and subject, such as a client address, so that a subject
 * cannot use up {@link MOST_LINES}.
 */
export const MOST_OF_ONE = 20

type Counted = Partial<Record<string, (signal: never) => string>>

/**
 * Signals that any client can cause without a fault of the service, with functions that return their subject. Failures with an `errorId`
 * are not limited, because clients get an id that must be in the log.
 */
const LIMITED: Counted = {
  'credential-refused': ({ address }: Of<'credential-refused'>) => address,
  'settings-refused': ({ operation }: Of<'settings-refused'>) => operation ?? '',
  'slow-statement': ({ statement }: Of<'slow-statement'>) => statement,
  'trusted-documents:unknown': ({ sha256 }: Of<'trusted-documents:unknown'>) => sha256,
} as Counted

type Of<T extends Signal['type']> = Extract<Signal, { readonly type: T }>

interface Minute {
  readonly since: number
  logged: number
  omitted: number
  readonly byOne: Map<string, number>
}

/** `left_out`: number of lines of this kind that were omitted before this one. `null`: omit this line. */
type Left = { readonly left_out?: number } | null
export type LineLimit = (signal: Signal) => Left

/** Maximum number of kinds with a count of their own, because messages may all differ. */
const MOST_KINDS = 1000

/** Counts the lines of the current minute by kind, so that clients cannot fill the disk with log lines. */
class LineCounts {
  readonly #now: () => number
  readonly #minutes = new Map<string, Minute>()

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a line. @param one subject of the line; `null`: none */
  count(kind: string, one: string | null): Left {
    const known = this.#minutes.get(kind)
    const isOver = known === undefined || this.#isOver(known)
    const minute = isOver ? { since: this.#now(), logged: 0, omitted: 0, byOne: new Map<string, number>() } : known
    if (isOver) this.#minutes.set(kind, minute)
    const before = isOver ? (known?.omitted ?? 0) : 0
    const ofOne = one === null ? 0 : (minute.byOne.get(one) ?? 0)
    if (minute.logged >= MOST_LINES || ofOne >= MOST_OF_ONE) {
      minute.omitted++
      return null
    }
    minute.logged++
    if (one !== null) minute.byOne.set(one, ofOne + 1)
    return before === 0 ? {} : { left_out: before }
  }

  /** Tests whether there is room for a kind. */
  takes(kind: string): boolean {
    if (this.#minutes.size < MOST_KINDS || this.#minutes.has(kind)) return true
    for (const [each, minute] of this.#minutes)
      if (this.#isOver(minute) && minute.omitted === 0) this.#minutes.delete(each)
    return this.#minutes.size < MOST_KINDS
  }

  #isOver({ since }: Minute): boolean {
    return this.#now() - since >= MINUTE_MS
  }
}

/** Creates the limit for log lines of signals that clients can cause. @param now returns the time in milliseconds */
export function createLineLimit(now: () => number): LineLimit {
  const counts = new LineCounts(now)
  return (signal) => {
    const keyOf = Object.hasOwn(LIMITED, signal.type) ? LIMITED[signal.type] : undefined
    if (keyOf !== undefined) return counts.count(signal.type, keyOf(signal as never))
    // All signals of plugins are limited, because clients may be able to cause them.
    return signal.type.includes(':') ? counts.count(signal.type, null) : {}
  }
}

/**
 * Decides whether a line that a plugin logs is written, by its plugin and message. `null`: omit it; `left_out`: number
 * of lines that were omitted before.
 */
export type PluginLineLimit = (plugin: string, message: string) => Left

/** Creates the limit for log lines of plugins. @param now returns the time in milliseconds */
export function createPluginLineLimit(now: () => number): PluginLineLimit {
  const counts = new LineCounts(now)
  return (plugin, message) => {
    const kind = `${plugin} ${message}`
    return counts.count(counts.takes(kind) ? kind : plugin, null)
  }
}
