/** The process has lost the lease. The event stays stored, and is delivered by another process, or by this one later. */
export class NotActive extends Error {
  constructor() {
    super('this process delivers no events any more')
    this.name = 'NotActive'
  }
}
