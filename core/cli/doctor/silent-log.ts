import type { Log } from '../../contract/scope.ts'

/** For what is tried out: what matters of it stands in the findings. */
export const SILENT_LOG: Log = Object.freeze({ debug() {}, info() {}, warn() {}, error() {} })
