import type { Signal } from './signals.ts'

const MINUTE_MS = 60_000
/** Of one kind of line, in a minute. */
export const MOST_LINES = 300
/** Of them about one thing, so that it does not hide the others. */
export const MOST_OF_ONE = 20

type Counted = Partial<Record<string, (signal: never) => string>>

/**
 * What whoever reaches the port brings about as often as he likes, with no fault anywhere, and what tells one of a kind from
 * another. Failures with an `errorId` are none of them: the client was told that the log has each.
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
  told: number
  untold: number
  readonly byOne: Map<string, number>
}

/** How many lines of its kind were left out before this one; `null`: this one is left out. */
type Left = { readonly left_out?: number } | null
export type LineLimit = (signal: Signal) => Left

/** Kinds that are counted apart: messages that are never the same twice would each have a bound of its own. */
const MOST_KINDS = 1000

/** Lines of the present minute, by their kind. A disk that callers can fill is a service that they can stop. */
class LineCounts {
  readonly #now: () => number
  readonly #minutes = new Map<string, Minute>()

  /** @param now milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** @param one what it is about; `null`: nothing that would tell it from others of its kind */
  count(kind: string, one: string | null): Left {
    const known = this.#minutes.get(kind)
    const isOver = known === undefined || this.#isOver(known)
    const minute = isOver ? { since: this.#now(), told: 0, untold: 0, byOne: new Map<string, number>() } : known
    if (isOver) this.#minutes.set(kind, minute)
    const before = isOver ? (known?.untold ?? 0) : 0
    const ofOne = one === null ? 0 : (minute.byOne.get(one) ?? 0)
    if (minute.told >= MOST_LINES || ofOne >= MOST_OF_ONE) {
      minute.untold++
      return null
    }
    minute.told++
    if (one !== null) minute.byOne.set(one, ofOne + 1)
    return before === 0 ? {} : { left_out: before }
  }

  /** Is there room for one more kind? */
  takes(kind: string): boolean {
    if (this.#minutes.size < MOST_KINDS || this.#minutes.has(kind)) return true
    for (const [each, minute] of this.#minutes)
      if (this.#isOver(minute) && minute.untold === 0) this.#minutes.delete(each)
    return this.#minutes.size < MOST_KINDS
  }

  #isOver({ since }: Minute): boolean {
    return this.#now() - since >= MINUTE_MS
  }
}

/** @param now milliseconds */
export function createLineLimit(now: () => number): LineLimit {
  const counts = new LineCounts(now)
  return (signal) => {
    const keyOf = Object.hasOwn(LIMITED, signal.type) ? LIMITED[signal.type] : undefined
    if (keyOf !== undefined) return counts.count(signal.type, keyOf(signal as never))
    // What plugins tell of is theirs: whoever wrote one may not have thought of who brings it about.
    return signal.type.includes(':') ? counts.count(signal.type, null) : {}
  }
}

/** Lines that a plugin writes itself, each message by itself. */
export type PluginLineLimit = (plugin: string, message: string) => Left

/** @param now milliseconds */
export function createPluginLineLimit(now: () => number): PluginLineLimit {
  const counts = new LineCounts(now)
  return (plugin, message) => {
    const kind = `${plugin} ${message}`
    return counts.count(counts.takes(kind) ? kind : plugin, null)
  }
}
