import { randomUUID } from 'node:crypto'
import type { MaskTransform } from '../../contract/access.ts'

const ids = new WeakMap<MaskTransform, string>()
/** Ids are unique per process, because functions of different processes cannot be compared. */
const PROCESS = randomUUID()
let last = 0

/** Returns a stable id of a transform, for the keys of plans and cached answers. */
export function maskId(transform: MaskTransform): string {
  let id = ids.get(transform)
  if (id === undefined) {
    last += 1
    id = `${PROCESS}.${last}`
    ids.set(transform, id)
  }
  return id
}
