/** Error when this process is no longer the active one. The event stays stored and is delivered later. */
export class NotActive extends Error {
  constructor() {
    super('this process delivers no events any more')
    this.name = 'NotActive'
  }
}
