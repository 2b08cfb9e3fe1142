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

/**
 * Writes the TypeScript type for a GraphQL type, with lists and null: `readonly (string | null)[]`.
 * @param named writes the type inside lists, such as {@link writeNamed}
 */
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

/**
 * Writes the TypeScript type for a GraphQL scalar (`string`), or a reference to an enum or type in the generated
 * client: `Enums['Status']`, `Inputs['CreateUser']`, `Objects['User']`.
 * @param direction `in`: clients send the value; `out`: clients receive it
 */
export function writeNamed(type: GraphQLNamedType, direction: 'in' | 'out', { wireOf }: ApiSchema): string {
  if (isEnumType(type)) return `Enums[${quote(type.name)}]`
  if (isScalarType(type)) {
    if (direction === 'in' && type.name === 'ID') return 'string | number'
    return FORMS[wireOf(type.name)]
  }
  return `${direction === 'in' ? 'Inputs' : 'Objects'}[${quote(type.name)}]`
}

/** Writes a name as a TypeScript string literal in single quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/**
 * Writes description and deprecation reason of a GraphQL element as a TSDoc comment. Empty if it has neither.
 * @param indent spaces before each line
 */
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
