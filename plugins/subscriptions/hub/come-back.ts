/** What was subscribed cannot go on here: the client is to begin it anew. */
export class ComeBack extends Error {
  constructor() {
    super('The subscription has to be made anew.')
  }
}
