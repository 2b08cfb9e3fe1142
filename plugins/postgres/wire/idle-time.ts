/**
 * How long the event loop has idled, in milliseconds. A runtime that does not count it (Bun) is taken to idle all the time, so that the duration of
 * every statement counts as the server's.
 */
export const idleTime: () => number =
  process.versions.bun === undefined ? () => performance.nodeTiming.idleTime : () => performance.now()
