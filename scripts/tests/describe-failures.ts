import { Parser, type Result } from 'tap-parser'

/** The useful part of a failure's diagnostics; the rest is its location in the source. */
const TOLD = [
  'expired',
  'found',
  'wanted',
  'pattern',
  'diff',
  'message',
  'code',
  'cause',
  'stack',
  'handles',
  'requests',
]
const LINES_PER_FACT = 60

/** Parsed output of one test file. */
export interface FileReport {
  readonly ok: boolean
  readonly points: number
  readonly skipped: number
  /** Each failure with its path of names, its message and the compared values. */
  readonly failures: readonly string[]
}

/** @param tap the whole output of a test file */
export function readReport(tap: string): FileReport {
  const failures: string[] = []
  let points = 0
  let skipped = 0
  const todos: string[] = []
  const listen = (parser: Parser): void => {
    /** Failures before the point that closes the test of a child are the reasons of that point. */
    let before = 0
    parser.on('child', (child: Parser) => {
      before = failures.length
      listen(child)
    })
    parser.on('assert', (result: Result) => {
      const closes = result.closingTestPoint || result.buffered
      if (!closes) points++
      if (result.skip !== false) skipped++
      // A `todo` test, with or without a body: its result does not count.
      if (result.todo !== false) todos.push(`${titleOf(result)}\n  todo: a test that is not there yet`)
      if (result.ok || result.skip !== false || result.todo !== false) return
      if (closes && failures.length > before) return
      failures.push(describe(result))
    })
    parser.on('bailout', (reason: string) => failures.push(`Bail out! ${reason}`))
  }
  const parser = new Parser()
  listen(parser)
  parser.end(tap)
  // Errors of the output itself: no plan, a missing number.
  for (const failure of parser.failures) {
    if (typeof failure.tapError === 'string') failures.push(failure.tapError)
  }
  return { ok: parser.ok && todos.length === 0, points, skipped, failures: [...failures, ...todos] }
}

function titleOf({ fullname, name }: Result): string {
  return fullname.endsWith(name) ? fullname : `${fullname} > ${name}`
}

function describe(result: Result): string {
  const { diag } = result
  const title = titleOf(result)
  const facts = TOLD.filter((key) => diag?.[key] !== undefined).map((key) => describeFact(key, diag[key]))
  return [title, ...facts].join('\n')
}

function describeFact(key: string, value: unknown): string {
  const text = typeof value === 'string' ? value.trimEnd() : messageOf(value)
  const lines = text.split('\n')
  const shown = lines.length > LINES_PER_FACT ? [...lines.slice(0, LINES_PER_FACT), '…'] : lines
  return shown.length === 1 ? `  ${key}: ${shown[0]}` : [`  ${key}:`, ...shown.map((line) => `    ${line}`)].join('\n')
}

/** Only the message of an error: its location is in the stack of the outer error. */
function messageOf(value: unknown): string {
  const { message } = (value ?? {}) as { readonly message?: unknown }
  return typeof message === 'string' ? message : JSON.stringify(value, null, 2)
}
