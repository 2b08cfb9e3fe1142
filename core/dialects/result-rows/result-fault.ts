import type { FoundFault, WriteFault } from '../../contract/prepared-write.ts'

/**
 * Thrown when the result of a mutation's function is invalid, such as an unknown status. The transaction is then rolled
 * back.
 */
export class ResultFault extends Error {
  readonly found: FoundFault

  constructor(fault: WriteFault, detail: string | null) {
    super(`svc:${fault}`)
    this.found = { fault, detail: (detail ?? 'NULL').slice(0, 100) }
  }
}
