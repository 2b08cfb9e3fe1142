/** The kinds of named types in a schema. */
export type NamedKind = 'type' | 'input' | 'interface' | 'enum' | 'union' | 'scalar'

/**
 * Marks values that can be used as a type. It is a registered symbol, because the schema module and the CLI may each load
 * their own instance of this file.
 */
export const BRAND: unique symbol = Symbol.for('svc.authoring.brand')

export interface Brand {
  readonly kind: NamedKind
  readonly name: string
  /** `true` for a built-in scalar, which schemas do not declare. */
  readonly builtin?: boolean
}

declare const VALUE: unique symbol

/**
 * Carries the TypeScript type of a property with this schema type, for the TypeScript compiler only. The type is wrapped in an object:
 * otherwise `undefined` would be lost without `exactOptionalPropertyTypes`, and `note?: string` would be rejected.
 */
export interface Valued<Value> {
  readonly [VALUE]?: { readonly of: Value }
}

/** A declared element, as the plain functions return it. Fields and operations can use it as a type. */
export interface Named<Kind extends NamedKind = NamedKind> {
  readonly name: string
  readonly [BRAND]: Brand & { readonly kind: Kind }
}

/**
 * Returns the brand of a class or handle; `undefined`: it has none. A subclass does not inherit the brand.
 * @returns the mark of a class or handle; `undefined` when there is none. A subclass does not inherit it.
 */
export function brandOf(value: unknown): Brand | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return Object.hasOwn(value, BRAND) ? (value as { readonly [BRAND]: Brand })[BRAND] : undefined
}

/** Marks a class with a brand. */
export function brandClass(target: object, brand: Brand): void {
  Object.defineProperty(target, BRAND, { value: Object.freeze(brand) })
}

/** Creates the handle of an element that has no class. */
export function namedHandle<Kind extends NamedKind, Extra extends object = object>(
  kind: Kind,
  name: string,
  extra?: Extra,
): Named<Kind> & Extra {
  return Object.freeze({ name, ...(extra as Extra), [BRAND]: Object.freeze({ kind, name }) })
}
