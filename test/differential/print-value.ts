import type { Json } from './request.ts'

/** A value of an argument, as it stands in the document. */
export type Value =
  | { readonly kind: 'json'; readonly json: Json }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Value])[] }
  | { readonly kind: 'variable'; readonly type: string; readonly value: Value }
  /** A variable that is declared and not sent, so that its member is left out. */
  | { readonly kind: 'absent'; readonly type: string }

export const NULL: Value = { kind: 'json', json: null }
