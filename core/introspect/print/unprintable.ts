import { SvcError } from '../../base/errors/svc-error.ts'

/** Creates the error for a part of a schema that no module can declare. */
export function unprintable(subject: string, reason: string): SvcError {
  return new SvcError('SVC_USAGE', `${subject} cannot be printed as TypeScript: ${reason}`)
}
