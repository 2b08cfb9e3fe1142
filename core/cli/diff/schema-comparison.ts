import type { Report } from './change.ts'
import type { ResolveRef } from './normalize-json-schema.ts'

/**
 * Context of a comparison of JSON Schemas from two documents: how to resolve references in each, and where to report
 * changes.
 */
export interface SchemaComparison {
  /** `in`: clients send the values. `out`: clients receive them. */
  readonly direction: 'in' | 'out'
  readonly before: ResolveRef
  readonly after: ResolveRef
  readonly report: Report
  /**
   * Keys of `$ref` pairs that were already compared, with the direction. A shared schema is reported once, and
   * recursion through circular references ends.
   */
  readonly seen: Set<string>
}
