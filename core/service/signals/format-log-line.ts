const COLOURS: Readonly<Record<string, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[32m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
  fatal: '\u001b[31m',
}
const RESET = '\u001b[0m'

/**
 * Formats a log line in JSON for people: `12:30:01.250 info  schema loaded hash=ab12`. An error is shown with its
 * message and causes, and its stack in lines of its own.
 * @param colours `true`: use terminal colours
 */
export function formatLogLine(line: string, colours: boolean): string {
  const { level, timestamp, message, target, error, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const name = String(level)
  const shown = colours ? `${COLOURS[name] ?? ''}${name.padEnd(5)}${RESET}` : name.padEnd(5)
  const owner = target === 'svc' ? '' : `[${String(target)}] `
  const fields = Object.entries(rest).map(([key, value]) => ` ${key}=${printField(value)}`)
  const failure = error ?? err
  const reason = failure === undefined ? '' : `: ${describeError(failure)}`
  const stack = (failure as { stack?: unknown } | undefined)?.stack
  const trace = typeof stack === 'string' ? `\n${stack.split('\n').slice(1).join('\n')}` : ''
  return `${String(timestamp).slice(11, 23)} ${shown} ${owner}${String(message)}${reason}${fields.join('')}${trace}\n`
}

function printField(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

function describeError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown }
  const text = code === undefined ? String(message) : `${message} (${code})`
  return cause === undefined ? text : `${text}, because: ${describeError(cause)}`
}
