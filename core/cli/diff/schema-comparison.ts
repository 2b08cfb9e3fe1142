import type { Report } from './change.ts'
import type { ResolveRef } from './normalize-json-schema.ts'

/** Comparison of JSON Schemas in two documents. */
export interface SchemaComparison {
  /** Direction of the values. `in`: clients send them. `out`: clients receive them. */
  readonly direction: 'in' | 'out'
  readonly before: ResolveRef
  readonly after: ResolveRef
  readonly report: Report
  /** Pairs of references that were compared, with the direction: each is reported where it is used first, and circles end. */
  readonly seen: Set<string>
}
