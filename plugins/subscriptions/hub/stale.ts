/** The error of a read for an older generation of the schema. The subscription has to be renewed. */
export class Stale extends Error {
  constructor() {
    super('The schema has been changed meanwhile.')
  }
}
