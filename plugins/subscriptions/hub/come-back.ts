/** Error of a subscription that cannot continue in this process. Its client must subscribe again. */
export class ComeBack extends Error {
  constructor() {
    super('The subscription has to be made anew.')
  }
}
