import { randomUUID } from 'node:crypto'
import { defineDialectFunctions } from './dialect-functions.ts'
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
  defineDialectFunctions(library)
}
