/** A GraphQL type such as `[Post!]!`, parsed to a tree of lists around a named type. */
export type TypeRef = NamedTypeRef | ListTypeRef
export interface NamedTypeRef {
  readonly kind: 'named'
  readonly name: string
  readonly nullable: boolean
}
export interface ListTypeRef {
  readonly kind: 'list'
  readonly of: TypeRef
  readonly nullable: boolean
}

/** Parses a type in GraphQL notation: `"[Post!]!"`. @returns `null` when the text is no type */
export function parseTypeRef(text: string): TypeRef | null {
  const source = text.trim()
  const nullable = !source.endsWith('!')
  const inner = nullable ? source : source.slice(0, -1).trimEnd()
  if (inner.startsWith('[')) {
    if (!inner.endsWith(']')) return null
    const of = parseTypeRef(inner.slice(1, -1))
    return of === null ? null : { kind: 'list', of, nullable }
  }
  return /^[_A-Za-z][_0-9A-Za-z]*$/.test(inner) ? { kind: 'named', name: inner, nullable } : null
}

/** Prints a type in GraphQL notation. The reverse of {@link parseTypeRef}. */
export function printTypeRef(ref: TypeRef): string {
  const inner = ref.kind === 'named' ? ref.name : `[${printTypeRef(ref.of)}]`
  return ref.nullable ? inner : `${inner}!`
}

/** Returns the type without the lists around it: `Post!` for `[Post!]!`. */
export function namedTypeOf(ref: TypeRef): NamedTypeRef {
  return ref.kind === 'named' ? ref : namedTypeOf(ref.of)
}

/** Tests whether a type is a list, nullable or not. */
export function isListRef(ref: TypeRef): ref is ListTypeRef {
  return ref.kind === 'list'
}
