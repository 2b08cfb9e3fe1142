import type { Cancellable } from '../../../core/doors/driver.ts'
import { abortedError } from './driver-errors.ts'

/** What of a statement its aborter needs. */
interface Abortable {
  readonly cancel: Cancellable | null
  /** Where it is in flight. */
  readonly connection: { abort(running: unknown): void } | null
  fail(error: unknown): void
}

/**
 * What gives a statement up when its request is aborted, wherever it is by then.
 *
 * Made here and not where it is used: there it would hold the scope of the promise, and through it the collector moved
 * every request to its old space, which cost a tenth of the processor and 60 MB.
 */
export function aborter(running: Abortable): () => void {
  return () => abort(running)
}

function abort(running: Abortable): void {
  if (running.connection === null) running.fail(abortedError(running.cancel))
  else running.connection.abort(running)
}
