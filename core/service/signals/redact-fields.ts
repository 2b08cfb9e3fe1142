import { SvcError } from '../../base/errors/svc-error.ts'
import { isSecretKey, REDACTED } from '../../base/util/redact-text.ts'

const DEEPEST = 6

/**
 * Converts the fields of a log line to plain data with snake_case names. Values whose key suggests a secret become
 * `[REDACTED]`; errors become code, message and causes.
 * @param showStacks `true`: keep the stacks of all errors, for debugging
 */
export function redactFields(fields: Readonly<Record<string, unknown>>, showStacks: boolean): Record<string, unknown> {
  return copyTable(fields, showStacks, 0)
}

/** Cache of converted names: log lines repeat a few of them. */
const names = new Map<string, string>()
const MOST_NAMES = 1000

/** Converts a field name to snake_case: `requestId` to `request_id`. `ms` becomes `duration_ms` (docs/guides/debug.md#the-log). */
function nameOf(key: string): string {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = key === 'ms' ? 'duration_ms' : key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (names.size < MOST_NAMES) names.set(key, name)
  return name
}

function copyTable(table: object, showStacks: boolean, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(table)) {
    const isSecret = typeof value === 'string' && value !== '' && isSecretKey(key)
    copy[depth === 0 ? nameOf(key) : key] = isSecret ? REDACTED : copyValue(value, showStacks, depth + 1)
  }
  return copy
}

function copyValue(value: unknown, showStacks: boolean, depth: number): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return '…'
  if (value instanceof Error) return copyError(value, showStacks, depth)
  if (Array.isArray(value)) return value.map((item) => copyValue(item, showStacks, depth + 1))
  if (value instanceof Map || value instanceof Set) return copyValue([...value], showStacks, depth)
  return value instanceof Date ? value.toISOString() : copyTable(value, showStacks, depth)
}

function copyError(error: Error, showStacks: boolean, depth: number): Record<string, unknown> {
  const { code, detail, hint } = error as { code?: unknown; detail?: unknown; hint?: unknown }
  const copy: Record<string, unknown> = { type: error.name, message: error.message }
  for (const [key, value] of Object.entries({ code, detail, hint })) if (typeof value === 'string') copy[key] = value
  if (error instanceof SvcError && error.details !== undefined)
    copy.details = copyValue(error.details, showStacks, depth + 1)
  if (error.cause !== undefined) copy.cause = copyValue(error.cause, showStacks, depth + 1)
  if (error instanceof AggregateError) copy.errors = copyValue(error.errors, showStacks, depth + 1)
  // Errors other than SvcError are faults in code. Their stack is needed to find them.
  if (showStacks || !(error instanceof SvcError)) copy.stack = error.stack
  return copy
}
