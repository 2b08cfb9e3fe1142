import { setTimeout as sleep } from 'node:timers/promises'

/** One client of a service: reads and writes one number. */
export interface Observed {
  /** Writes a number. @returns was it answered without an error? */
  write(n: number): Promise<boolean>
  /** @param way readers ask in several ways for the same number */
  read(way: number): Promise<{ readonly seen: number; readonly fromCache: boolean } | null>
}

export interface Watched {
  /** Reads older than the last write that was answered before they began. */
  readonly stale: readonly string[]
  readonly writes: number
  readonly reads: number
  readonly hits: number
  /** Requests that were not answered. */
  readonly failed: number
}

/**
 * One writer and many readers over several services that share a cache. Numbers only grow, so a reader knows the
 * lowest permitted value: the last number that was answered to the writer before the read.
 * @param services each reader has one, the writer takes them in turn
 */
export async function watchStale(
  services: readonly Observed[],
  { ms, readers = 32, from = 1000 }: { readonly ms: number; readonly readers?: number; readonly from?: number },
): Promise<Watched> {
  const ends = Date.now() + ms
  const stale: string[] = []
  let said = from
  let [writes, reads, hits, failed] = [0, 0, 0, 0]

  async function write(): Promise<void> {
    for (let n = from + 1; Date.now() < ends; n++) {
      const done = await services[n % services.length]!.write(n).catch(() => false)
      if (done) {
        said = n
        writes++
      } else failed++
      await sleep(2)
    }
  }

  async function read(i: number): Promise<void> {
    const service = services[i % services.length]!
    while (Date.now() < ends) {
      const least = writes === 0 ? Number.NEGATIVE_INFINITY : said
      const answer = await service.read(i).catch(() => null)
      if (answer === null) {
        failed++
        await sleep(5)
        continue
      }
      reads++
      if (answer.fromCache) hits++
      // A value that is not a number is no response.
      if (!(answer.seen >= least)) stale.push(`${answer.seen} after ${least}`)
      await sleep(0)
    }
  }

  await Promise.all([write(), ...Array.from({ length: readers }, (_, i) => read(i))])
  return { stale, writes, reads, hits, failed }
}
