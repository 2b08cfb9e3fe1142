import {
  type Exchange,
  type Generation,
  isPromise,
  type MaybePromise,
  type Result,
  SvcError,
} from '../../core/doors/plugin.ts'

/** One execution of a read, and whoever waits for its result. */
interface Flight {
  readonly leader: Exchange
  readonly generation: Generation
  /** How many writes had ended when it began. */
  readonly writes: number
  readonly result: Promise<Result>
}

/** The reads of one document that are in flight, by everything else that decides about their result. */
export type Flights = Map<string, Flight>

/**
 * Gives the result of the same read when one is in flight, else runs it and lets others take part.
 * @param writes how many writes have ended by now: a read that began before one of them is not joined, so that a caller
 * who has written sees it
 */
export function share(
  flights: Flights,
  key: string,
  ctx: Exchange,
  writes: () => number,
  run: () => MaybePromise<Result>,
): MaybePromise<Result> {
  const flight = flights.get(key)
  if (flight !== undefined && flight.writes === writes() && flight.generation === ctx.generation) {
    return follow(flight, ctx).then((result) => result ?? share(flights, key, ctx, writes, run))
  }
  const result = run()
  if (!isPromise(result)) return result
  const own: Flight = { leader: ctx, generation: ctx.generation, writes: writes(), result }
  flights.set(key, own)
  const land = () => void (flights.get(key) === own && flights.delete(key))
  result.then(land, land)
  return result
}

/** @returns `null` when the leader was aborted, which is no reason for anybody else to fail */
async function follow({ leader, result }: Flight, ctx: Exchange): Promise<Result | null> {
  let shared: Result
  try {
    shared = await unlessAborted(result, ctx)
  } catch (error) {
    if (leader.aborted && !ctx.aborted) return null
    throw error
  }
  shared.text?.keep()
  return leader.aborted && shared.errors !== null ? null : shared
}

/** A follower has no statement of its own to cancel: it stops to wait. */
function unlessAborted(result: Promise<Result>, ctx: Exchange): Promise<Result> {
  const overdue = () => new SvcError('TIMEOUT', 'The request ended before the result that it shares was there.')
  if (ctx.aborted) return Promise.reject(overdue())
  return new Promise((resolve, reject) => {
    const unwatch = ctx.onAbort(() => reject(overdue()))
    result.then(unwatch, unwatch)
    result.then(resolve, reject)
  })
}
