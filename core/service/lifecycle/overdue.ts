import { SvcError } from '../../base/errors/svc-error.ts'

/** Milliseconds after the deadline within which aborted work must end. Work that still runs, such as a hanging hook, is not awaited. */
export const OVERDUE_MS = 500

export function overdueError(): SvcError {
  return new SvcError('TIMEOUT', 'The request outlived server.request_timeout_ms; what it waits for does not stop.', {
    details: { outcome: 'unknown' },
  })
}
