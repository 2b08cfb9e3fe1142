/** Error of a read that was prepared for an older schema. The subscription must be prepared anew. */
export class Stale extends Error {
  constructor() {
    super('The schema has been changed meanwhile.')
  }
}
