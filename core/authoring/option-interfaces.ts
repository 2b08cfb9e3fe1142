/**
 * Options of types for keys that plugins own, in camelCase, with the texts that editors show. The plugins of
 * `presets/authored-keys.ts` add theirs by declaration merging. Keys of all other plugins are written in `extra`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface TypeKeyOptions {}
/** Options of interfaces. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface InterfaceKeyOptions {}
/** Options of fields of types and interfaces. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface FieldKeyOptions {}
/** Options of queries and mutations. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface OperationKeyOptions {}
/** Options that only queries have. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface QueryKeyOptions {}
/** Options that only mutations have. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface MutationKeyOptions {}
