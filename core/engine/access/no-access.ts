import type { Access } from '../../contract/access.ts'

/** The access of all runs without restrictions. */
export const NO_ACCESS: Access = Object.freeze({
  denied: new Map(),
  conditions: new Map(),
  values: Object.freeze({}),
  settings: Object.freeze([]),
  variant: '',
  key: '',
})
