import { randomUUID } from 'node:crypto'
import type { MaskTransform } from '../contract/access.ts'

const ids = new WeakMap<MaskTransform, string>()
/** Processes that share a cache have functions of their own: nobody can tell that two of them do the same. */
const PROCESS = randomUUID()
let last = 0

/** Names a function in the keys of plans and of kept answers. */
export function maskId(transform: MaskTransform): string {
  let id = ids.get(transform)
  if (id === undefined) {
    last += 1
    id = `${PROCESS}.${last}`
    ids.set(transform, id)
  }
  return id
}
