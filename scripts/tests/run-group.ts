import { fileURLToPath } from 'node:url'
import { readReport } from './describe-failures.ts'
import { type FileResult, judge, type RunFileOptions, runFile } from './run-file.ts'
import { runTestProcess } from './test-process.ts'

const MAIN = fileURLToPath(new URL('./group/main.ts', import.meta.url))
/** From the end of its last file to the end of the process. */
const LINGER_MS = 30_000

export interface RunGroupOptions extends RunFileOptions {
  readonly lingerMs?: number
}

/** How one file of a process went. */
interface Course {
  readonly began: number
  seconds?: number
  /** What it left behind for those after it. */
  left: readonly string[]
  open: readonly string[]
}

/** Runs files in one process, one after the other. One that does not come to its end takes nobody with it. */
export async function runGroup(files: readonly string[], options: RunGroupOptions): Promise<readonly FileResult[]> {
  if (files.length <= 1) return Promise.all(files.map((file) => runFile(file, options)))
  const { timeoutMs, job, env, lingerMs = LINGER_MS } = options
  const courses = new Map<string, Course>()
  let current = files[0]!
  let isLate = false
  const ran = await runTestProcess([MAIN], {
    timeoutMs,
    // Each file has its own.
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
    // The process has to end by itself when all are through, as that of one file.
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

/** The TAP of each file, as if it had been alone: that of a group has each as a subtest. */
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

/** Then the process ends with 1, whichever of them it was. */
function hasFailures(texts: ReturnType<typeof splitByFile>): boolean {
  return [...texts.values()].some(({ ok }) => !ok)
}

function describeOpen(courses: ReadonlyMap<string, Course>): string {
  const lines = [...courses].map(([file, { open }]) => `${file}: ${open.join(', ')}`)
  return `the process of these files did not end. Open after each of them:\n${lines.join('\n')}`
}
