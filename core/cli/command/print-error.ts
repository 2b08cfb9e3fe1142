import { SvcError } from '../../base/errors/svc-error.ts'
import { redactText } from '../../base/util/redact-text.ts'
import { EXIT, type ExitCode } from './command.ts'

const DATABASE_CODES = new Set(['SVC_DATABASE_UNREACHABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT', 'DATABASE_ERROR'])
const INVALID_CODES = /^SVC_(SCHEMA_|DATABASE_INIT_FAILED)/

/**
 * Returns the exit code of the process for an error that a command threw (docs/reference/cli.md). Errors other than
 * `SvcError` give 1.
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof SvcError)) return EXIT.invalid
  if (DATABASE_CODES.has(error.code)) return EXIT.database
  if (INVALID_CODES.test(error.code)) return EXIT.invalid
  return error.code.startsWith('SVC_') ? EXIT.usage : EXIT.invalid
}

/**
 * Formats an error for the terminal: its message, then the messages of its causes that add information. Secrets are
 * removed.
 * @param showStack `true`: prints the stack trace of every error; `false`: only of an unexpected one (no `SvcError`),
 * and of such a cause of a failed boot
 */
export function printError(error: unknown, showStack: boolean): string {
  const [first, ...because] = linesOf(error)
  const lines = [`error: ${first}`, ...because.map((text) => `  because: ${text}`)]
  for (const { stack } of tracedErrors(error, showStack)) {
    if (stack !== undefined) lines.push(stack.split('\n').slice(1).join('\n'))
  }
  return `${redactText(lines.join('\n'))}\n`
}

/** The errors whose stacks are printed. When a plugin throws during the boot, only the stack shows where. */
function tracedErrors(error: unknown, showStack: boolean): readonly Error[] {
  if (!(error instanceof Error)) return []
  if (showStack || !(error instanceof SvcError)) return [error]
  if (error.code !== 'SVC_BOOT_FAILED') return []
  return causesOf(error).filter((cause): cause is Error => cause instanceof Error && !isDescribed(cause))
}

/** Is the message sufficient without a stack? Yes for an `SvcError`, a collection of errors, and a repeated message. */
function isDescribed(error: Error): boolean {
  return error instanceof SvcError || error instanceof AggregateError || isRepetition(error)
}

/**
 * Formats an error for the output of `--json`: `{ error: { code, message, because } }`. `because` lists the messages of
 * the causes; stacks are left out.
 */
export function errorAsJson(error: unknown): object {
  const code = error instanceof SvcError ? error.code : 'INTERNAL_SERVER_ERROR'
  const [first = '', ...because] = linesOf(error)
  return {
    error: {
      code,
      message: redactText(first),
      ...(because.length === 0 ? {} : { because: because.map(redactText) }),
    },
  }
}

/** Returns the message, and the causes that add information. */
function linesOf(error: unknown): readonly string[] {
  const lines = [messageOf(error)]
  for (const cause of causesOf(error)) {
    if (isRepetition(cause)) continue
    const text = messageOf(cause)
    if (text !== '' && !lines.some((line) => line.includes(text))) lines.push(text)
  }
  return lines
}

/** Does the error of the operating system repeat the message of the error above it? */
function isRepetition(cause: unknown): boolean {
  return ['ENOENT', 'EADDRINUSE', 'MODULE_NOT_FOUND'].includes(String((cause as { code?: unknown } | null)?.code))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  let cause = error instanceof Error ? error.cause : undefined
  while (cause !== undefined && causes.length < 5) {
    causes.push(cause)
    if (cause instanceof AggregateError) causes.push(...cause.errors)
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return causes
}
