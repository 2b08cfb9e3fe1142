/** The schema has been changed meanwhile: who subscribed does it anew. */
export class Stale extends Error {
  constructor() {
    super('The schema has been changed meanwhile.')
  }
}
