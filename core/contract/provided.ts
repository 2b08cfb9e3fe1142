/**
 * Values that plugins provide to each other, by key. The providing plugin adds its key by declaration merging:
 *
 *     declare module 'svc' { interface Provided { clock: Clock } }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Provided {}
