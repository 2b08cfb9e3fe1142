import type { Access } from '../../contract/access.ts'

/** The `Access` of every run for which no hook declared a restriction. */
export const NO_ACCESS: Access = Object.freeze({
  denied: new Map(),
  conditions: new Map(),
  values: Object.freeze({}),
  settings: Object.freeze([]),
  variant: '',
  key: '',
})
