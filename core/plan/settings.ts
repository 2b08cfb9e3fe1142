import type { Operation } from '../contract/operation.ts'

/** What the plans of a generation depend on besides the schema. */
export interface PlanSettings {
  /** `svc.max_rows`: rows of one list. 0 = no bound. */
  readonly maxRows: number
  /** `svc.max_sort_keys`: of one list. 0 = no bound; absent: its default. */
  readonly maxSortKeys?: number | undefined
  /** `svc.max_group_keys`: of one aggregate. 0 = no bound; absent: its default. */
  readonly maxGroupKeys?: number | undefined
  /** Of several databases, the one that is planned for (`undefined`: the default one): it has no other's rows. Absent: all. */
  readonly of?: { readonly database: string | undefined }
  /** Wraps the making of each plan, for observers. It returns the result of `make`. */
  readonly observePlan?: ObservePlan | null | undefined
}

/** @param kind name of the plan among those of the operation's template */
export type ObservePlan = <T>(operation: Operation, kind: string, make: () => T) => T
