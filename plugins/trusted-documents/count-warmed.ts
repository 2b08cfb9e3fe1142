/**
 * The outcome of preparing the documents of a manifest ahead of their first requests.
 * @param all documents of the manifest
 * @param done those that were looked at
 * @param failed those of them that the schema does not answer
 */
export function countWarmed(all: number, done: number, failed: number) {
  return { warmed: done - failed, failed, skipped: all - done }
}
