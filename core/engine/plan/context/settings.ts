import type { Operation } from '../../../contract/operation.ts'

/** The settings that plans of a generation depend on, besides the schema. */
export interface PlanSettings {
  /** Maximum number of rows in a list (`svc.max_rows`). 0: no limit. */
  readonly maxRows: number
  /** Maximum number of sort keys in a list (`svc.max_sort_keys`). 0: no limit; absent: the default of the option. */
  readonly maxSortKeys?: number | undefined
  /** Maximum number of keys of an aggregate (`svc.max_group_keys`). 0: no limit; absent: the default of the option. */
  readonly maxGroupKeys?: number | undefined
  /**
   * Database to plan for, when there are several (`undefined`: the default database). Rows of other databases are left
   * out. Absent: all databases.
   */
  readonly of?: { readonly database: string | undefined }
  /** Wraps the creation of each plan, so that observers can measure it. Returns the result of `make`. */
  readonly observePlan?: ObservePlan | null | undefined
}

/**
 * Calls `make`, and lets observers measure it.
 * @param kind name of the plan among the plans of the operation's template
 */
export type ObservePlan = <T>(operation: Operation, kind: string, make: () => T) => T
