import { InputErrors } from '../../../core/doors/front.ts'
import type { Exchange, SvcError, ToPublicError } from '../../../core/doors/plugin.ts'

/** Several errors of one tool call, such as the errors of the operation that it ran. */
export class ToolErrors extends Error {
  readonly errors: readonly SvcError[]

  constructor(errors: readonly SvcError[]) {
    super(errors.map(({ message }) => message).join('; '))
    this.errors = errors
  }
}

/** Maximum number of errors in a result. */
const MOST_ERRORS = 10

/**
 * Writes the errors of a tool call as an MCP result with `isError`, so that the model can read and correct them.
 * @param error the thrown value
 * @param show converts an error to the form that clients may see
 * @returns JSON text
 */
export function errorResult(error: unknown, show: ToPublicError, exchange: Exchange): string {
  const all = listOf(error)
  const shown = all.slice(0, MOST_ERRORS).map((each) => {
    const { code, message, details, retryAfter } = show(each, exchange)
    const path = (each as Partial<SvcError>).path
    return { code, message, path, details: isEmpty(details) ? undefined : details, retryAfter }
  })
  const more = all.length > shown.length ? { more: all.length - shown.length } : {}
  const text = JSON.stringify(shown.length === 1 ? { error: shown[0] } : { errors: shown, ...more })
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true}`
}

function listOf(error: unknown): readonly unknown[] {
  if (error instanceof ToolErrors) return error.errors.flatMap((each) => listOf(each))
  return error instanceof InputErrors ? error.errors : [error]
}

function isEmpty(details: object): boolean {
  return Object.keys(details).length === 0
}
