/** The kinds of named types in a schema. */
export type NamedKind = 'type' | 'input' | 'interface' | 'enum' | 'union' | 'scalar'

/**
 * Key of the property that holds the kind and name of a declared type; a value with this property can be used as a
 * type. The symbol is registered, because the schema module and the CLI may each load their own instance of this file.
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
 * Carries, for the TypeScript compiler only, the TypeScript type that a property with this schema type must have. The
 * type is wrapped in an object: otherwise `undefined` would be lost without `exactOptionalPropertyTypes`, and
 * `note?: string` would be rejected.
 */
export interface Valued<Value> {
  readonly [VALUE]?: { readonly of: Value }
}

/**
 * The object that a function such as `type()` or `enum_()` returns for a declared type. Fields and operations accept it
 * as their type.
 */
export interface Named<Kind extends NamedKind = NamedKind> {
  readonly name: string
  readonly [BRAND]: Brand & { readonly kind: Kind }
}

/**
 * Returns the kind and name that `brandClass` or `namedHandle` attached to a class or object; `undefined`: nothing is
 * attached. A subclass does not inherit them.
 */
export function brandOf(value: unknown): Brand | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return Object.hasOwn(value, BRAND) ? (value as { readonly [BRAND]: Brand })[BRAND] : undefined
}

/**
 * Attaches kind and name of a declared type to its class, so that fields and operations can use the class as a type.
 */
export function brandClass(target: object, brand: Brand): void {
  Object.defineProperty(target, BRAND, { value: Object.freeze(brand) })
}

/**
 * Creates the frozen object that stands for a type that was declared by a plain function, such as `enum_('Status', …)`,
 * instead of a class.
 * @param extra further properties of the object, such as `fields`
 */
export function namedHandle<Kind extends NamedKind, Extra extends object = object>(
  kind: Kind,
  name: string,
  extra?: Extra,
): Named<Kind> & Extra {
  return Object.freeze({ name, ...(extra as Extra), [BRAND]: Object.freeze({ kind, name }) })
}
