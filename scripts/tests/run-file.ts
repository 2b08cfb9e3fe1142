import { type FileReport, readReport } from './describe-failures.ts'
import { runTestProcess, type TestProcess } from './test-process.ts'

const TAIL = 4000

export interface FileResult {
  readonly file: string
  readonly word: 'passed' | 'failed' | 'timed out' | 'skipped'
  readonly seconds: number
  readonly points: number
  readonly skipped: number
  /** Output for a failed file. */
  readonly reasons: readonly string[]
}

export interface RunFileOptions {
  readonly timeoutMs: number
  readonly job: number
  readonly env: NodeJS.ProcessEnv
}

/** Runs one test file in a process of its own. */
export async function runFile(file: string, { timeoutMs, job, env }: RunFileOptions): Promise<FileResult> {
  const began = performance.now()
  let isLate = false
  const ran = await runTestProcess([file], {
    timeoutMs,
    job,
    env,
    // `t.setTimeout` at the root of a file is the limit of the file. With 0, tap uses the limits of its tests.
    onMessage({ setTimeout: ms }, setBound) {
      if (typeof ms === 'number' && ms > 0) setBound(ms)
    },
    onLate: () => (isLate = true),
  })
  const seconds = (performance.now() - began) / 1000
  return judge({ file, ran, report: readReport(ran.tap), isLate, isThrough: ran.code === 0, seconds, env })
}

interface Found {
  readonly file: string
  /** Its process. */
  readonly ran: TestProcess
  readonly report: FileReport
  readonly isLate: boolean
  /** Whether it ran to its end, without an error outside assertions. */
  readonly isThrough: boolean
  readonly seconds: number
  readonly env: NodeJS.ProcessEnv
  /** Errors that the runner itself found. */
  readonly faults?: readonly string[]
}

/** Whether a file has passed, and why not. */
export function judge({ file, ran, report, isLate, isThrough, seconds, env, faults = [] }: Found): FileResult {
  // With `SVC_TEST_REQUIRE`, a test that skips itself fails.
  const lacks = env.SVC_TEST_REQUIRE === 'all' && report.skipped > 0
  // A file without assertions cannot fail, so it has not passed either.
  const ok = report.ok && report.points > 0 && isThrough && !isLate && !lacks && faults.length === 0
  const reasons = [...report.failures, ...faults]
  if (!ok) {
    if (lacks) reasons.push(`${report.skipped} skipped, and SVC_TEST_REQUIRE=all: nothing may be missing`)
    if (isLate) reasons.push(`ran out of its time, ${Math.round(seconds)} s`)
    else if (report.points === 0 && report.ok && isThrough) reasons.push('asserts nothing')
    else if (reasons.length === 0) {
      reasons.push(`ended with ${ran.signal ?? `exit code ${ran.code}`}:\n${ran.tap.slice(-TAIL)}`)
    }
    if (ran.errors.trim() !== '') reasons.push(`on its error output:\n${ran.errors.slice(-TAIL).trimEnd()}`)
  }
  const word = ok ? 'passed' : isLate ? 'timed out' : 'failed'
  return { file, word, seconds, points: report.points, skipped: report.skipped, reasons }
}
