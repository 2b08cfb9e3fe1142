import { randomUUID } from 'node:crypto'
import type { Library } from './library.ts'
import type { Value } from './protocol.ts'

/** What the SQL functions of svc know about the statement that calls them. */
export interface FunctionState {
  /** The last `svc_raise`: the libraries pass on its text at the most. */
  raised: { readonly code: string; readonly message: string } | null
  settings: ReadonlyMap<string, string>
}

/** Defines what svc adds to SQL, on one connection. */
export function defineFunctions(library: Library, state: FunctionState): void {
  library.define(
    'svc_raise',
    (code: Value, message: Value) => {
      state.raised = { code: String(code), message: String(message) }
      throw new Error(state.raised.message)
    },
    false,
  )
  library.define('svc_setting', (name: Value) => state.settings.get(String(name)) ?? null, false)
  library.define('svc_uuid', () => randomUUID(), false)
  library.define('regexp', matches, true)
}

let lastPattern: Value = null
let lastExpression = /^/

/** `value REGEXP pattern`, in JavaScript's dialect with Unicode. */
function matches(pattern: Value, value: Value): Value {
  if (pattern === null || value === null) return null
  if (pattern !== lastPattern) {
    lastExpression = new RegExp(String(pattern), 'u')
    lastPattern = pattern
  }
  return lastExpression.test(String(value)) ? 1n : 0n
}
