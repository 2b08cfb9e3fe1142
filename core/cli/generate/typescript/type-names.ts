import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql'
import type { ApiSchema, WireForm } from '../schema/read-api-schema.ts'

const FORMS: Readonly<Record<WireForm, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  json: 'unknown',
}

/** Writes the TypeScript type of a GraphQL type. Clients may send an ID as a number. */
export function writeType(
  type: GraphQLOutputType | GraphQLInputType,
  named: (type: GraphQLNamedType) => string,
): string {
  if (isNonNullType(type)) return writeNonNull(type.ofType, named)
  return `${writeNonNull(type, named)} | null`
}

function writeNonNull(type: GraphQLOutputType | GraphQLInputType, named: (type: GraphQLNamedType) => string): string {
  if (isListType(type)) return `readonly (${writeType(type.ofType, named)})[]`
  return named(type as GraphQLNamedType)
}

/** Writes the type of a leaf or of a named type in one of the maps of the client. */
export function writeNamed(type: GraphQLNamedType, direction: 'in' | 'out', { wireOf }: ApiSchema): string {
  if (isEnumType(type)) return `Enums[${quote(type.name)}]`
  if (isScalarType(type)) {
    if (direction === 'in' && type.name === 'ID') return 'string | number'
    return FORMS[wireOf(type.name)]
  }
  return `${direction === 'in' ? 'Inputs' : 'Objects'}[${quote(type.name)}]`
}

/** Quotes a name as a string literal. */
export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Writes a comment with a description, which may contain the end of a comment. */
export function writeComment(
  {
    description,
    deprecationReason,
  }: { readonly description?: string | null | undefined; readonly deprecationReason?: string | null | undefined },
  indent: string,
): string {
  const text = [description ?? '', deprecationReason == null ? '' : `@deprecated ${deprecationReason}`]
    .filter((part) => part !== '')
    .join('\n')
    .replaceAll('*/', '*\\/')
  if (text === '') return ''
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
