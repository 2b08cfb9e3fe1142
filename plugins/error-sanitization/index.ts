import { definePlugin, type PublicError, type PublicErrorSource, SvcError } from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'
import type { SanitizationOptions } from './options.ts'

/** The plugin that removes implementation details from errors before clients receive them. */
export default definePlugin<SanitizationOptions>(manifest, (scope, options) => {
  scope.on('error:public', createSanitizer(options))
})

const INTERNAL: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'INTERNAL_ERROR'])
const DATABASE: ReadonlySet<string> = new Set(['DATABASE_ERROR', 'TRANSACTION_FAILED'])
const SQLSTATE = /^[0-9A-Z]{5}$/
/** Details that come from the database or from its functions. */
const FROM_DATABASE: ReadonlySet<string> = new Set(['detail', 'hint', 'constraint'])
const CONSTRAINT = / \(constraint "[^"]*"\)/
const LONGEST = 2000
/** A stack trace, from its first line to the end. */
const STACK = /\n[ \t]*at [\s\S]*$/
/** A path of a file in the notation of Unix or Windows, or a file URL. */
const FILE = /(?:file:\/{2,3}|[a-z]:\\|\/)[\w.@~-]+(?:[\\/][\w.@~-]+)+(?::\d+)*/gi

/**
 * Creates the function that removes implementation details from errors before clients receive them
 * (docs/plugins/error-sanitization.md#what-it-does). Code, status and `errorId` stay; the log has the full error under
 * this id.
 * @returns a function that returns the changed error; `undefined`: clients may receive the error unchanged
 */
export function createSanitizer(
  options: SanitizationOptions,
): (shown: PublicError, source: Pick<PublicErrorSource, 'error'>) => PublicError | undefined {
  const {
    hide_implementation_details: hides,
    sanitize_database_errors: cleans,
    custom_error_message: message,
  } = options
  return (shown, { error }) => {
    const isDatabase = cleans && (DATABASE.has(shown.code) || (INTERNAL.has(shown.code) && isFromDatabase(error)))
    if (isDatabase || (hides && INTERNAL.has(shown.code))) return { ...shown, message, details: {} }
    if (shown.status >= 500) return hides ? { ...shown, message: withoutPlaces(shown.message) } : undefined
    return cleans && isFromDatabase(error) ? withoutDatabase(shown) : undefined
  }
}

/** Is the cause an error of a driver? Drivers need not throw instances of Error. */
function isFromDatabase(error: unknown): boolean {
  let each = error
  for (let depth = 0; depth < 5 && typeof each === 'object' && each !== null; depth++) {
    const { code, cause } = each as { readonly code?: unknown; readonly cause?: unknown }
    if (!(each instanceof SvcError) && typeof code === 'string' && SQLSTATE.test(code)) return true
    each = cause
  }
  return false
}

/** Removes details of the database. Only the message of a function is meant for clients. */
function withoutDatabase(shown: PublicError): PublicError {
  const details = Object.fromEntries(Object.entries(shown.details).filter(([key]) => !FROM_DATABASE.has(key)))
  return { ...shown, message: shown.message.replace(CONSTRAINT, ''), details }
}

function withoutPlaces(text: string): string {
  // Limits the text for the patterns. Intended messages are shorter.
  return text.slice(0, LONGEST).replace(STACK, '').replace(FILE, '…')
}
