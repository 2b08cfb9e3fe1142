import { AbortSource } from '../../../core/doors/driver.ts'

/** Time limit in milliseconds for svc's own queries, such as reads of the catalog, which belong to no request. */
export const ASIDE_MS = 30_000

export async function cancelledInTime<T>(work: (cancel: AbortSource) => Promise<T>): Promise<T> {
  const cancel = new AbortSource()
  const overdue = setTimeout(() => cancel.abort('timeout'), ASIDE_MS)
  try {
    return await work(cancel)
  } finally {
    clearTimeout(overdue)
  }
}
