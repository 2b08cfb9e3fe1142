import {
  type Exchange,
  type Generation,
  isPromise,
  type MaybePromise,
  type Result,
  SvcError,
} from '../../core/doors/plugin.ts'

/** A read in progress, which other requests can join. */
interface Flight {
  readonly leader: Exchange
  readonly generation: Generation
  /** Number of finished writes when it began. */
  readonly writes: number
  readonly result: Promise<Result>
}

/** Reads in progress for one GraphQL document, by everything else that their result depends on. */
export type Flights = Map<string, Flight>

/**
 * Waits for an identical read that is in progress, or else runs the read so that others can wait for it.
 * @param key equal for reads with the same result
 * @param writes returns the number of finished writes; a read from before the last of them is not shared, so that
 * callers see their own writes
 * @param run runs the read
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

/** Waits for the result of another request. @returns `null` when that request was aborted, which must not fail this one */
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

/** Stops waiting when the request is aborted. It has no statement to cancel. */
function unlessAborted(result: Promise<Result>, ctx: Exchange): Promise<Result> {
  const overdue = () => new SvcError('TIMEOUT', 'The request ended before the result that it shares was there.')
  if (ctx.aborted) return Promise.reject(overdue())
  return new Promise((resolve, reject) => {
    const unwatch = ctx.onAbort(() => reject(overdue()))
    result.then(unwatch, unwatch)
    result.then(resolve, reject)
  })
}
