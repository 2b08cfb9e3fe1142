import { unknownOutcome } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import { EngineFault } from './engine/engine-thread.ts'

/**
 * The error of a write that commits itself, or of COMMIT: where the engine broke under it, it is unknown whether it was
 * written, since what came before the break may be in the files.
 */
export function lostCommit(error: unknown): unknown {
  const broke = error instanceof SvcError && error.code === 'DATABASE_ERROR' && error.cause instanceof EngineFault
  return broke ? unknownOutcome(error) : error
}
