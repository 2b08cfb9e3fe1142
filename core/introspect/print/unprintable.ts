import { SvcError } from '../../base/errors/svc-error.ts'

/**
 * Creates the SVC_USAGE error for a part of a schema that cannot be printed as a module.
 * @param subject name of the part
 */
export function unprintable(subject: string, reason: string): SvcError {
  return new SvcError('SVC_USAGE', `${subject} cannot be printed as a module: ${reason}`)
}
