import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Kit } from './kit.ts'
import type { GraphQLRequest } from './post.ts'

const run = promisify(execFile)

export interface TokenLoadResult {
  readonly rps: number
  readonly requests: number
  readonly errors: number
}

export interface TokenLoadOptions {
  readonly url: string
  readonly request: GraphQLRequest
  readonly connections: number
  readonly seconds: number
  /** Goes along as a bearer token. */
  readonly token?: string | undefined
}

/** The kit's load by wrk, with a credential; the kit's own has none. @throws Error where wrk is not installed */
export async function runTokenLoad(kit: Kit, options: TokenLoadOptions): Promise<TokenLoadResult> {
  const { url, request, connections, seconds, token } = options
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-token-'))
  try {
    const body = join(dir, 'body.json')
    writeFileSync(body, JSON.stringify({ query: request.query, variables: request.variables }))
    const header = token === undefined ? [] : ['-H', `authorization: Bearer ${token}`]
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', ...header]
    const { stdout } = await run('wrk', [...args, '-s', join(kit.dir, 'lib', 'post.lua'), url], {
      env: { ...process.env, BENCH_BODY: body },
    })
    const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '') as {
      readonly requests: number
      readonly us: number
      readonly errors: Readonly<Record<string, number>>
    }
    const errors = Object.values(result.errors).reduce((sum, each) => sum + each, 0)
    return { rps: result.requests / (result.us / 1e6), requests: result.requests, errors }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
