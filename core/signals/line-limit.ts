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
export type LineLimit = (signal: Signal) => { readonly left_out?: number } | null

/** A disk that callers can fill is a service that they can stop. @param now milliseconds */
export function createLineLimit(now: () => number): LineLimit {
  const minutes = new Map<string, Minute>()
  return (signal) => {
    const keyOf = Object.hasOwn(LIMITED, signal.type) ? LIMITED[signal.type] : undefined
    if (keyOf === undefined) return {}
    const known = minutes.get(signal.type)
    const isOver = known === undefined || now() - known.since >= MINUTE_MS
    const minute = isOver ? { since: now(), told: 0, untold: 0, byOne: new Map<string, number>() } : known
    if (isOver) minutes.set(signal.type, minute)
    const before = isOver ? (known?.untold ?? 0) : 0
    const key = keyOf(signal as never)
    const ofOne = minute.byOne.get(key) ?? 0
    if (minute.told >= MOST_LINES || ofOne >= MOST_OF_ONE) {
      minute.untold++
      return null
    }
    minute.told++
    minute.byOne.set(key, ofOne + 1)
    return before === 0 ? {} : { left_out: before }
  }
}
