import type { EngineStages } from '../../contract/engine-stages.ts'
import type { ServiceStages } from '../../contract/service-stages.ts'
import type { StageDefinitions } from '../../contract/stage-definition.ts'
import { ENGINE_STAGES } from '../../engine/engine-stages.ts'
import { heldToPublicError } from '../lifecycle/public-error-hook.ts'

/**
 * The stages of the service, in the order in which a request passes them. The stages of the engine are between them.
 */
export const STAGES = {
  onRequest: { kind: 'around' },
  authenticate: { kind: 'first' },
  ...ENGINE_STAGES,
  'error:public': { kind: 'waterfall', wrap: heldToPublicError },
} as const satisfies StageDefinitions<ServiceStages & EngineStages>
