import type { Operation } from '../../../contract/operation.ts'

/** The settings that plans of a generation depend on, besides the schema. */
export interface PlanSettings {
  /** `svc.max_rows`: most rows of a list. 0 = no limit. */
  readonly maxRows: number
  /** `svc.max_sort_keys`: most sort keys of a list. 0 = no limit; absent: its default. */
  readonly maxSortKeys?: number | undefined
  /** `svc.max_group_keys`: most keys of an aggregate. 0 = no limit; absent: its default. */
  readonly maxGroupKeys?: number | undefined
  /** With several databases: the one to plan for (`undefined`: the default one), without rows of others. Absent: all. */
  readonly of?: { readonly database: string | undefined }
  /** Wraps the making of each plan, for observers. It returns the result of `make`. */
  readonly observePlan?: ObservePlan | null | undefined
}

/** @param kind name of the plan among those of the operation's template */
export type ObservePlan = <T>(operation: Operation, kind: string, make: () => T) => T
