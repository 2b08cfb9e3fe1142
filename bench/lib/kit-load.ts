import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kit, LoadResult } from './kit.ts'
import type { GraphQLRequest } from './post.ts'

/** The kit's load generator, for one fixed request. */
export interface Load {
  /** Which program it is. */
  readonly name: string
  run(url: string, request: GraphQLRequest, connections: number, seconds: number): Promise<LoadResult>
}

export async function openLoad(kit: Kit): Promise<Load> {
  const { httpLoad, hasWrk } = await kit.load()
  return {
    name: hasWrk ? 'wrk -t1' : 'autocannon',
    async run(url, { query, variables }, connections, seconds) {
      const dir = mkdtempSync(join(tmpdir(), 'svc-bench-load-'))
      const bodyFile = join(dir, 'body.json')
      try {
        writeFileSync(bodyFile, JSON.stringify({ query, variables }))
        return await httpLoad({ url, bodyFile, connections, seconds })
      } finally {
        rmSync(dir, { recursive: true, force: true })
      }
    },
  }
}
