import type {
  AuthoredEnum,
  AuthoredField,
  AuthoredInput,
  AuthoredInterface,
  AuthoredScalar,
  AuthoredSchema,
  AuthoredType,
  AuthoredUnion,
} from '../../schema/authored.ts'
import { BUILTIN_SCALARS, type BuiltinScalar, findScalar, SEMANTIC_SCALARS } from '../../schema/scalars.ts'

export type NamedElement =
  | {
      readonly kind: 'scalar'
      readonly name: string
      readonly base: BuiltinScalar
      readonly element: AuthoredScalar | null
    }
  | { readonly kind: 'enum'; readonly name: string; readonly element: AuthoredEnum }
  | { readonly kind: 'object'; readonly name: string; readonly element: AuthoredType }
  | { readonly kind: 'interface'; readonly name: string; readonly element: AuthoredInterface }
  | { readonly kind: 'union'; readonly name: string; readonly element: AuthoredUnion }
  | { readonly kind: 'input'; readonly name: string; readonly element: AuthoredInput }

export type TypeIndex = ReadonlyMap<string, NamedElement>

/**
 * Returns all types that the schema can name, by name. For equal names, built-in scalars take precedence over declared
 * types, and declared types over semantic scalars (texts and numbers with a rule, such as `Email`). Of two declared
 * types, the first one is kept.
 */
export function indexTypes(schema: AuthoredSchema): TypeIndex {
  const index = new Map<string, NamedElement>()
  const add = (named: NamedElement): void => {
    if (!index.has(named.name)) index.set(named.name, named)
  }
  const text = BUILTIN_SCALARS.get('String') as BuiltinScalar
  for (const base of BUILTIN_SCALARS.values()) add({ kind: 'scalar', name: base.name, base, element: null })
  for (const element of schema.custom_scalars ?? []) {
    const base = findScalar(element.base_type ?? 'String') ?? text
    add({ kind: 'scalar', name: element.name, base, element })
  }
  for (const element of schema.enums ?? []) add({ kind: 'enum', name: element.name, element })
  for (const element of schema.types ?? []) add({ kind: 'object', name: element.name, element })
  for (const element of schema.interfaces ?? []) add({ kind: 'interface', name: element.name, element })
  for (const element of schema.unions ?? []) add({ kind: 'union', name: element.name, element })
  for (const element of schema.input_types ?? []) add({ kind: 'input', name: element.name, element })
  // Added last, so that types of the schema take precedence.
  for (const base of SEMANTIC_SCALARS.values()) add({ kind: 'scalar', name: base.name, base, element: null })
  return index
}

/**
 * Tests whether values of a type have fields, so that GraphQL requires a selection: object types, interfaces and
 * unions.
 */
export function isComposite(
  named: NamedElement,
): named is Extract<NamedElement, { kind: 'object' | 'interface' | 'union' }> {
  return named.kind === 'object' || named.kind === 'interface' || named.kind === 'union'
}

/** Returns the declared fields of an object type or interface. Empty for other kinds of types. */
export function fieldsOf(named: NamedElement): readonly AuthoredField[] {
  return named.kind === 'object' || named.kind === 'interface' ? named.element.fields : []
}

/** Returns the kind of a type with its article, for messages: `an enum`, `a type`. */
export function aKind({ kind }: NamedElement): string {
  if (kind === 'object') return 'a type'
  return `${/^[aeiou]/.test(kind) && kind !== 'union' ? 'an' : 'a'} ${kind}`
}
