import type { Log } from '../../contract/scope.ts'

/**
 * A log that drops all lines. `svc doctor` passes it to the code that it checks, because it reports the results itself.
 */
export const SILENT_LOG: Log = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} })
