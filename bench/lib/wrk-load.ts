import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface WrkRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Bodies that are sent one after the other, round and round, instead of `body`. */
  readonly bodies?: readonly string[]
  /** Which of `bodies` is the first. */
  readonly first?: number
}

export interface WrkResult {
  readonly rps: number
  readonly requests: number
  /** Connection errors and error statuses together. */
  readonly errors: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const DONE = `function done(s, latency)
  io.write(string.format('RESULT {"requests":%d,"us":%d,"errors":%d,"p50us":%d,"p99us":%d}\\n', s.requests, s.duration,
    s.errors.connect + s.errors.read + s.errors.write + s.errors.status + s.errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end`

const TAKE_TURNS = `function request()
  i = i % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[i])
end`

/** Sends one request, or several in turn, repeatedly, with wrk. @throws Error if wrk is not installed */
export async function wrkLoad(
  { url, method, headers, body, bodies = [], first = 0 }: WrkRequest,
  connections: number,
  seconds: number,
): Promise<WrkResult> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-wrk-'))
  try {
    const script = join(dir, 'request.lua')
    const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`)
    const own = body === undefined ? [] : [`wrk.body = ${lua(body)}`]
    const inTurn = bodies.length === 0 ? [] : [`local bodies, i = {${bodies.map(lua).join(',')}}, ${first}`, TAKE_TURNS]
    writeFileSync(script, [`wrk.method = ${lua(method)}`, ...own, ...lines, ...inTurn, DONE].join('\n'))
    const { stdout } = await run('wrk', [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '10s',
      '-s',
      script,
      url,
    ])
    const { requests, us, errors, p50us, p99us } = JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '') as Record<
      'requests' | 'us' | 'errors' | 'p50us' | 'p99us',
      number
    >
    return { rps: requests / (us / 1e6), requests, errors, p50: p50us / 1000, p99: p99us / 1000 }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A text in Lua, whatever it holds. */
function lua(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`
}
