/**
 * Keys of operations in `schema.json` that plugins own. A plugin adds its keys by declaration merging, beside their JSON Schemas:
 *
 *     declare module 'svc/command' { interface OperationKeys { readonly label?: string } }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface OperationKeys {}
/** Keys that only queries have. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface QueryKeys {}
/** Keys that only mutations have. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface MutationKeys {}
