/**
 * Keys of types in `schema.json` that plugins own. A plugin adds its keys by declaration merging, beside their JSON Schemas:
 *
 *     declare module 'svc/command' { interface TypeKeys { readonly label?: string } }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface TypeKeys {}
/** Keys of interfaces. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface InterfaceKeys {}
/** Keys of fields of types and interfaces. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface FieldKeys {}
/** Keys of queries, mutations and subscriptions. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface OperationKeys {}
/** Keys that only queries have. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface QueryKeys {}
/** Keys that only mutations have. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface MutationKeys {}
