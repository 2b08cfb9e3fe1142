/** Committed changes of rows, as observers and subscribers receive them, and conditions on them. */

export { eventOfWrite, toChangeKind as toKind, UNORDERED } from '../../engine/changes/change-event.ts'
export { type Condition, compileCondition, type MoreNames } from '../../engine/changes/condition.ts'
export { type EntityShape, shapeOfAuthored, shapeOfModel } from '../../engine/changes/entity-shape.ts'
export type { InProcessBus } from '../../engine/changes/in-process-bus.ts'
export { loadInProcessBus } from '../../engine/changes/load-in-process-bus.ts'
export { type ObservedChange, observe } from '../../engine/changes/observed-change.ts'
