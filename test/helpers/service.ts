import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const CLI = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))
const START_TIMEOUT_MS = 240_000

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

type Env = Readonly<Record<string, string | undefined>>

function start(
  args: readonly string[],
  cwd: string,
  env: Env,
  runtime: readonly string[] = [process.execPath],
): { child: ChildProcess; out: () => string; err: () => string } {
  // A DATABASE_URL of the machine must not decide what a test talks to.
  const child = spawn(runtime[0]!, [...runtime.slice(1), CLI, ...args], {
    cwd,
    env: { ...process.env, DATABASE_URL: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  return { child, out: () => stdout, err: () => stderr }
}

/** Runs a command of the CLI to its end. */
export async function svc(args: readonly string[], cwd: string, env: Env = {}): Promise<CliRun> {
  const { child, out, err } = start(args, cwd, env)
  const [code] = await once(child, 'close')
  return { code, stdout: out(), stderr: err() }
}

export interface Service {
  readonly url: string
  readonly child: ChildProcess
  /** Everything it wrote so far. */
  output(): string
  /** Sends the signal and waits for the end. @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** POSTs a GraphQL request. */
  graphql(
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<{ status: number; headers: Headers; body: GraphQLBody }>
}

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape, looked at by assertions
type GraphQLBody = { data?: any; errors?: { message: string; path?: unknown; extensions: Record<string, unknown> }[] }

/** Starts `svc run` on a free port and waits until it answers; stopped at the end of the test. */
export async function runService(
  t: Test,
  cwd: string,
  options: { args?: readonly string[]; env?: Env; runtime?: readonly string[] } = {},
): Promise<Service> {
  const { child, out, err } = start(
    ['run', '--port', '0', '--host', '127.0.0.1', ...(options.args ?? [])],
    cwd,
    options.env ?? {},
    options.runtime,
  )
  const output = (): string => out() + err()
  t.teardown(() => void (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')))
  const deadline = Date.now() + START_TIMEOUT_MS
  let url: string | undefined
  while (url === undefined) {
    if (child.exitCode !== null) throw new Error(`svc run exited with ${child.exitCode}:\n${output()}`)
    if (Date.now() > deadline) throw new Error(`svc run did not start:\n${output()}`)
    await new Promise((done) => setTimeout(done, 20))
    url = /https?:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
  }
  const base = url
  return {
    url: base,
    child,
    output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null) return child.exitCode
      child.kill(signal)
      const [code] = await once(child, 'close')
      return code
    },
    async graphql(query, variables) {
      const reply = await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      return { status: reply.status, headers: reply.headers, body: (await reply.json()) as GraphQLBody }
    },
  }
}
