import type { EngineStages } from '../../contract/engine-stages.ts'
import type { ServiceStages } from '../../contract/service-stages.ts'
import type { StageDefinitions } from '../../contract/stage-definition.ts'
import { ENGINE_STAGES } from '../../engine/engine-stages.ts'
import { heldToPublicError } from '../lifecycle/public-error-hook.ts'

/**
 * All stages at which hooks of plugins run, with the way in which hooks are chained, in the order of a request: those
 * of the service, and between them those of the engine.
 */
export const STAGES = {
  onRequest: { kind: 'around' },
  authenticate: { kind: 'first' },
  ...ENGINE_STAGES,
  'error:public': { kind: 'waterfall', wrap: heldToPublicError },
} as const satisfies StageDefinitions<ServiceStages & EngineStages>
