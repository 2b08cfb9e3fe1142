import { setImmediate } from 'node:timers/promises'
import { isOutage } from './events-lost.ts'
import type { HubParts } from './hub-parts.ts'
import type { Member } from './member.ts'

/** How long an access check of a subscriber stays valid. */
const BELIEVE_MS = 1000

/** Most members that are checked in one turn of the event loop. */
const PIECE = 100

export interface RefreshParts extends Pick<HubParts, 'accessKey'> {
  readonly leave: (member: Member) => void
  readonly enroll: (member: Member) => void
  readonly fail: (member: Member, error: unknown) => void
}

/**
 * Checks the access of members again. Those whose access has changed move to another reader, and those that are denied end.
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
