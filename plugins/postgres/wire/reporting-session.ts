import { HeldWrites } from './held-writes.ts'
import type { ReportedParameters } from './reported-parameters.ts'

/** A session as far as its server reports what has become of it. */
export class ReportingSession extends HeldWrites {
  broken = false
  /** Its settings are not ours any more: nobody gets it, and it is closed when what is in flight has ended. */
  spoilt = false
  protected readonly reported: ReportedParameters

  constructor(reported: ReportedParameters) {
    super()
    this.reported = reported
  }

  get isTrusted(): boolean {
    return !this.broken && !this.spoilt && !this.reported.areChanged
  }

  /** Does the server take no writes, as far as it says? */
  get isReadOnly(): boolean {
    return this.reported.isReadOnly
  }

  /** As if a setting had changed: it is closed when the statement or the transaction on it ends. */
  distrust(): void {
    this.reported.distrust()
  }
}
