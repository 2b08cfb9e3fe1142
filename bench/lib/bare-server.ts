import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Kit } from './kit.ts'
import { freePort, waitUntilAnswers } from './svc-process.ts'

export interface BareServer {
  readonly url: string
  stop(): void
}

/** The kit's bare server in pipeline mode: hand-written SQL and nothing else. It shows the limit of the machine. */
export async function startBarePipeline(kit: Kit, databaseUrl: string): Promise<BareServer> {
  const port = await freePort()
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), PG_POOL: '4', PG_PIPELINE: '1' }
  const child = spawn(process.execPath, [join(kit.dir, 'servers', 'ceiling.mjs')], {
    env: { ...process.env, ...env, PG_PLAN: 'force_generic_plan', NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilAnswers(child, url)
  return { url: `${url}/graphql`, stop: () => void child.kill('SIGKILL') }
}
