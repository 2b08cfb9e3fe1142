import { cpuSeconds } from './process-tree.ts'
import { median } from './stats.ts'
import { type WrkRequest, wrkLoad } from './wrk-load.ts'

/** One variant of a request for the same data. */
export interface Way {
  readonly way: string
  readonly request: WrkRequest
  /** Part of a response that has to be equal in all variants. */
  readonly data: (body: never) => unknown
}

export interface WayRow {
  readonly way: string
  readonly rps: number
  /** Processor time of the server per request, in microseconds. */
  readonly cpuUs: number
  /** Requests per second relative to the first variant: the median of the slices, each against its neighbour. */
  readonly ratio: number
}

/**
 * Sends the variants to one server in alternating slices, so that other load on the machine affects all of them.
 * @param pid of the server
 * @throws Error when the answers differ, or a request fails
 */
export async function measureWays(
  pid: number,
  ways: readonly Way[],
  { connections, slices, seconds }: { readonly connections: number; readonly slices: number; readonly seconds: number },
): Promise<readonly WayRow[]> {
  const answers = await Promise.all(
    ways.map(async ({ request: { url, method, headers, body }, data }) =>
      JSON.stringify(data((await (await fetch(url, { method, headers, body: String(body) })).json()) as never)),
    ),
  )
  if (new Set(answers).size !== 1) throw new Error(`The answers differ: ${answers.join(' ')}`)
  const seen = ways.map(() => ({ rps: [] as number[], cpu: [] as number[] }))
  for (const { request } of ways) await wrkLoad(request, connections, 3)
  for (let slice = 0; slice < slices; slice++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const at = (turn + slice) % ways.length
      const before = cpuSeconds(pid)
      const { rps, requests, errors } = await wrkLoad(ways[at]!.request, connections, seconds)
      if (errors > 0) throw new Error(`${ways[at]!.way}: ${errors} requests failed`)
      seen[at]!.rps.push(rps)
      seen[at]!.cpu.push(((cpuSeconds(pid) - before) / requests) * 1e6)
    }
  }
  return ways.map(({ way }, at) => ({
    way,
    rps: median(seen[at]!.rps),
    cpuUs: median(seen[at]!.cpu),
    ratio: median(seen[at]!.rps.map((rps, slice) => rps / seen[0]!.rps[slice]!)),
  }))
}
