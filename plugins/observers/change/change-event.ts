/** What observers are told of: the words for it are core's. */
export { type ChangeEvent, type ChangeKind, eventOfWrite, toChangeKind } from '../../../core/index.ts'
