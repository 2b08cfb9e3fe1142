import { setTimeout as sleep } from 'node:timers/promises'
import { ComeBack } from './come-back.ts'
import { passes } from './events-lost.ts'
import type { HubParts } from './hub-parts.ts'
import type { Member } from './member.ts'

const RETRY_MS = 250
/** Default time to wait for the end of an outage. */
const PATIENCE_MS = 10_000

export interface RenewParts extends Pick<HubParts, 'accessKey' | 'failed'> {
  readonly leave: (member: Member) => void
  readonly enroll: (member: Member) => void
  readonly fail: (member: Member, error: unknown) => void
  readonly patienceMs?: number | undefined
}

/**
 * Prepares subscriptions again for the present schema. A subscription that is now denied or invalid fails with that error.
 * One that cannot be checked because of a long outage ends, so that its client subscribes again.
 */
export async function renewMembers(stale: readonly Member[], parts: RenewParts): Promise<void> {
  const until = performance.now() + (parts.patienceMs ?? PATIENCE_MS)
  for (const member of stale) parts.leave(member)
  let left = stale
  for (;;) {
    const again: Member[] = []
    for (const member of left) {
      const error = await renew(member, parts)
      if (error === null) continue
      if (!passes(error)) parts.fail(member, error)
      else if (performance.now() >= until) parts.fail(member, new ComeBack())
      else again.push(member)
    }
    if (again.length === 0) return
    left = again
    await sleep(RETRY_MS)
  }
}

/** @returns the error; `null` when the subscription was renewed, or has ended */
async function renew(member: Member, { accessKey, leave, enroll, failed }: RenewParts): Promise<unknown> {
  if (member.isOver) return null
  try {
    const watch = await member.renew()
    const key = await accessKey(watch)
    // Catching up may have added the member to its old reader meanwhile.
    leave(member)
    Object.assign(member, { watch, accessKey: key, checkedAt: performance.now() })
  } catch (error) {
    failed(error)
    return error
  }
  enroll(member)
  return null
}
