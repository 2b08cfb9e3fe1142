import type { Operation } from '../../../contract/operation.ts'

/** The settings that plans depend on, in addition to the schema. */
export interface PlanSettings {
  /** Maximum number of rows in a list (`svc.max_rows`). 0: no limit. */
  readonly maxRows: number
  /** Maximum number of sort keys in a list (`svc.max_sort_keys`). 0: no limit; absent: 32. */
  readonly maxSortKeys?: number | undefined
  /** Maximum number of keys that an aggregate groups by (`svc.max_group_keys`). 0: no limit; absent: 16. */
  readonly maxGroupKeys?: number | undefined
  /**
   * The database to plan for, if the schema has several (`undefined`: the default one). The root field `node` then
   * considers only types of that database. Absent: all databases.
   */
  readonly of?: { readonly database: string | undefined }
  /** Called around the creation of each plan, so that plugins can measure it. */
  readonly observePlan?: ObservePlan | null | undefined
}

/**
 * Calls `make`, which creates a plan of `operation`, and returns the plan. Observers run before and after the call, so
 * that plugins can measure the time that planning takes.
 * @param kind kind of plan, as observers get it: `read`, `write` and others
 */
export type ObservePlan = <T>(operation: Operation, kind: string, make: () => T) => T
