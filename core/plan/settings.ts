/** What the plans of a generation depend on besides the schema. */
export interface PlanSettings {
  /** `svc.max_rows`: rows of one list. 0 = no bound. */
  readonly maxRows: number
}
