import type { EngineStages } from './engine-stages.ts'
import type { ServiceStages } from './service-stages.ts'

/**
 * All stages: name → kind and type of handler. Types of hooks and runners are derived from it. Plugins add stages of their own by
 * declaration merging, named `<plugin>:<name>`; only plugins that declare the owner as a dependency may hook them
 * (docs/guides/write-a-plugin.md#hooks).
 */
export interface Stages extends EngineStages, ServiceStages {}
