import type { EngineStages } from '../contract/engine-stages.ts'
import type { StageDefinitions } from '../contract/stage-definition.ts'

/**
 * The stages whose hooks the engine runs. Hooks of the `mutation:` stages may be limited to certain mutations
 * (`HookOptions.mutations`).
 */
export const ENGINE_STAGES = {
  authorize: { kind: 'every' },
  resolve: { kind: 'around' },
  'mutation:before': { kind: 'series', selector: 'mutations' },
  'mutation:after': { kind: 'series', selector: 'mutations' },
  afterCommit: { kind: 'settle' },
} as const satisfies StageDefinitions<EngineStages>
