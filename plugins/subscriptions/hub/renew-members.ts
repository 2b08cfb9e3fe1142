import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { ComeBack } from './come-back.ts'
import { isOutage, passes } from './events-lost.ts'
import type { HubParts } from './hub-parts.ts'
import type { Member } from './member.ts'

/** How long an access check of a subscriber stays valid. */
const BELIEVE_MS = 1000
/** Most members that are checked in one turn of the event loop. */
const PIECE = 100
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
 * Prepares subscriptions anew after a reload of the schema. A subscription that is now denied or invalid fails. During
 * a long outage it ends, so that its client subscribes again.
 * @param stale subscribers whose subscriptions were prepared for an older schema
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

interface RefreshParts extends Pick<HubParts, 'accessKey'> {
  readonly leave: (member: Member) => void
  readonly enroll: (member: Member) => void
  readonly fail: (member: Member, error: unknown) => void
}

/**
 * Checks the access of subscribers again. Those whose access has changed get another reader; subscriptions that are now
 * denied end.
 * @throws the error of an outage
 */
export async function refreshAccess(
  members: Iterable<Member>,
  { accessKey, leave, enroll, fail }: RefreshParts,
): Promise<void> {
  const now = performance.now()
  let checked = 0
  for (const member of [...members]) {
    if (member.isOver || now - member.checkedAt < BELIEVE_MS) continue
    // Lets requests run between the checks of thousands of members.
    if (++checked % PIECE === 0) await setImmediate()
    let key: string
    try {
      key = await accessKey(member.watch)
    } catch (error) {
      if (isOutage(error)) throw error
      fail(member, error)
      continue
    }
    member.checkedAt = performance.now()
    if (key === member.accessKey || member.isOver) continue
    leave(member)
    member.accessKey = key
    enroll(member)
  }
}

/**
 * Wraps a function so that its runs do not overlap.
 * @returns a function that starts a run after the current one; calls before that share this run
 */
export function oneByOne(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    if (next !== null) return next
    const begin = (): Promise<void> => {
      next = null
      return work()
    }
    next = last.then(begin, begin)
    last = next
    return next
  }
}
