/** The event stays where it is: another process, or this one later, delivers it. */
export class NotActive extends Error {
  constructor() {
    super('this process delivers no events any more')
    this.name = 'NotActive'
  }
}
