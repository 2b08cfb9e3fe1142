import type { DialectName } from '../front/database.ts'

/** What the plans of a generation depend on besides the schema. */
export interface PlanSettings {
  readonly dialect: Extract<DialectName, 'postgres'>
  /** `svc.max_rows`: rows of one list. 0 = no bound. */
  readonly maxRows: number
}
