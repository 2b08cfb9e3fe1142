import type { Denial } from '../contract/access.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { SchemaModel } from '../schema/model.ts'
import { invalid } from './invalid.ts'
import { deniedTargets } from './targets.ts'

/**
 * Adds what a hook denies to what is denied: the first error of a target stays, `reject` wins.
 * @throws SvcError SVC_ACCESS_INVALID
 */
export function addDenial(
  denied: Map<string, Denial>,
  schema: SchemaModel,
  target: string,
  error: SvcError | undefined,
  onDeny: string = 'mask',
): void {
  const targets = deniedTargets(schema, target)
  if (error !== undefined && !(error instanceof SvcError)) {
    throw invalid(`access.deny("${target}"): the error is no SvcError. Make one: new SvcError('FORBIDDEN', '…').`)
  }
  if (onDeny !== 'mask' && onDeny !== 'reject') {
    throw invalid(`access.deny("${target}"): onDeny is "mask" or "reject", not ${JSON.stringify(onDeny)}.`)
  }
  for (const each of targets) {
    const own = error ?? new SvcError('FORBIDDEN', `You may not see ${each}.`)
    joinDenial(denied, { target: each, error: own, reject: onDeny === 'reject' })
  }
}

export function joinDenial(denied: Map<string, Denial>, denial: Denial): void {
  const before = denied.get(denial.target)
  denied.set(denial.target, before === undefined ? denial : { ...before, reject: before.reject || denial.reject })
}
