import { fileURLToPath } from 'node:url'
import { readReport } from './describe-failures.ts'
import { type FileResult, judge, type RunFileOptions, runFile } from './run-file.ts'
import { runTestProcess } from './test-process.ts'

const MAIN = fileURLToPath(new URL('./group/main.ts', import.meta.url))
/** Time limit from the end of its last file to the end of the process. */
const LINGER_MS = 30_000

export interface RunGroupOptions extends RunFileOptions {
  readonly lingerMs?: number
}

/** Result of one file of a process. */
interface Course {
  readonly began: number
  seconds?: number
  /** State that it left changed for the files after it. */
  left: readonly string[]
  open: readonly string[]
}

/** Runs files in one process, one after the other. If one does not finish, the others still run. */
export async function runGroup(files: readonly string[], options: RunGroupOptions): Promise<readonly FileResult[]> {
  if (files.length <= 1) return Promise.all(files.map((file) => runFile(file, options)))
  const { timeoutMs, job, env, lingerMs = LINGER_MS } = options
  const courses = new Map<string, Course>()
  let current = files[0]!
  let isLate = false
  const ran = await runTestProcess([MAIN], {
    timeoutMs,
    // Each file has its own time limit.
    tapTimeoutMs: 0,
    job,
    env: { ...env, SVC_TEST_GROUP: JSON.stringify(files) },
    onMessage({ began, bound, ended, left, open }, setBound) {
      if (typeof began === 'string') {
        current = began
        courses.set(began, { began: performance.now(), left: [], open: [] })
        setBound(timeoutMs)
      } else if (typeof bound === 'number' && bound > 0) setBound(bound)
      else if (typeof ended === 'string') {
        const course = courses.get(ended)!
        course.seconds = (performance.now() - course.began) / 1000
        Object.assign(course, { left, open })
        setBound(courses.size === files.length ? lingerMs : timeoutMs)
      }
    },
    onLate: () => (isLate = true),
  })
  const texts = splitByFile(ran.tap)
  const results: FileResult[] = []
  const rest: string[] = []
  for (const file of files) {
    const course = courses.get(file)
    if (course === undefined && file !== current) {
      rest.push(file)
      continue
    }
    const isLast = file === current
    const { text, isClosed } = texts.get(file) ?? { text: '', isClosed: false }
    const faults = (course?.left ?? []).map((what) => `leaves ${what} to the files that share its process`)
    // After the last file, the process has to end by itself, like that of a single file.
    if (isLast && isLate && course?.seconds !== undefined) faults.push(describeOpen(courses))
    results.push(
      judge({
        file,
        ran: isLast ? ran : { ...ran, errors: '' },
        report: readReport(text),
        isLate: isLast && isLate,
        isThrough: isClosed && (!isLast || ran.code === 0 || hasFailures(texts)),
        seconds: course?.seconds ?? (performance.now() - (course?.began ?? performance.now())) / 1000,
        env,
        faults,
      }),
    )
  }
  return [...results, ...(await runGroup(rest, options))]
}

/** Splits the output into the TAP of each file: a group has each file as a subtest. */
function splitByFile(tap: string): Map<string, { text: string; isClosed: boolean; ok: boolean }> {
  const texts = new Map<string, { text: string; isClosed: boolean; ok: boolean }>()
  let file = ''
  let lines: string[] = []
  for (const line of tap.split('\n')) {
    const [, name] = /^# Subtest: (.*)$/.exec(line) ?? []
    const [, not] = /^(not )?ok \d+ - /.exec(line) ?? []
    if (name !== undefined) {
      file = name
      lines = []
    } else if (/^(?:not )?ok \d+ - /.test(line)) {
      if (file !== '') texts.set(file, { text: lines.join('\n'), isClosed: true, ok: not === undefined })
      file = ''
    } else lines.push(line.replace(/^ {4}/, ''))
  }
  if (file !== '') texts.set(file, { text: lines.join('\n'), isClosed: false, ok: false })
  return texts
}

/** A failure of any file ends the process with 1. */
function hasFailures(texts: ReturnType<typeof splitByFile>): boolean {
  return [...texts.values()].some(({ ok }) => !ok)
}

function describeOpen(courses: ReadonlyMap<string, Course>): string {
  const lines = [...courses].map(([file, { open }]) => `${file}: ${open.join(', ')}`)
  return `the process of these files did not end. Open after each of them:\n${lines.join('\n')}`
}
