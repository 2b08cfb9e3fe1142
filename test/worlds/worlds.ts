import { brokenNats, brokenPostgres, brokenRedis } from './list/broken-lines.ts'
import { elsewhere } from './list/elsewhere.ts'
import { killedProcesses } from './list/killed-processes.ts'
import { readOnly } from './list/read-only.ts'
import { sharedCache } from './list/shared-cache.ts'
import { smallRole } from './list/small-role.ts'
import { west } from './list/west.ts'
import type { World } from './world.ts'

/** All of them. */
export const WORLDS: readonly World[] = [
  west,
  elsewhere,
  smallRole,
  readOnly,
  sharedCache,
  brokenPostgres,
  brokenRedis,
  brokenNats,
  killedProcesses,
]
