import type { EngineStages } from './engine-stages.ts'
import type { ServiceStages } from './service-stages.ts'

/**
 * The points at which hooks run: name → kind and type of the handler. `scope.on` derives its types from it. A plugin
 * adds stages named `<plugin>:<name>` by declaration merging. Only plugins that declare it as a dependency may hook
 * them (docs/guides/write-a-plugin.md#hooks).
 */
export interface Stages extends EngineStages, ServiceStages {}
