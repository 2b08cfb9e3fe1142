import type { FoundFault, WriteFault } from '../../contract/prepared-write.ts'

/** A fault that this process detects in the result of a function, while the transaction can still be rolled back. */
export class ResultFault extends Error {
  readonly found: FoundFault

  constructor(fault: WriteFault, detail: string | null) {
    super(`svc:${fault}`)
    this.found = { fault, detail: (detail ?? 'NULL').slice(0, 100) }
  }
}
