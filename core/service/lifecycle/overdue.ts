import { SvcError } from '../../base/errors/svc-error.ts'

/**
 * Milliseconds after its deadline in which aborted work may still end. After that, svc replies with an error and does
 * not wait for the work, such as a hook that hangs.
 */
export const OVERDUE_MS = 500

export function overdueError(): SvcError {
  return new SvcError('TIMEOUT', 'The request outlived server.request_timeout_ms; what it waits for does not stop.', {
    details: { outcome: 'unknown' },
  })
}
