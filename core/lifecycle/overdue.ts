import { SvcError } from '../errors/svc-error.ts'

/** What listens to the deadline answers within this time; what does not, a hook that hangs for one, is not waited for. */
export const OVERDUE_MS = 500

export function overdueError(): SvcError {
  return new SvcError('TIMEOUT', 'The request outlived server.request_timeout_ms; what it waits for does not stop.', {
    details: { outcome: 'unknown' },
  })
}
