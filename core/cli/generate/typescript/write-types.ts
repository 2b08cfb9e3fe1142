import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import { type ApiSchema, typesOf } from '../schema/read-api-schema.ts'
import { quote, writeComment, writeNamed, writeType } from './type-names.ts'

/**
 * Writes the types of the API as members of the interfaces `Enums`, `Inputs` and others. As members they can have any
 * name, also that of a global such as `Promise`.
 */
export function writeTypes(api: ApiSchema): string {
  const types = typesOf(api)
  return [
    writeMap(
      'Enums',
      'Enums of the schema.',
      types.filter(isEnumType).map((type) => {
        const values = type.getValues().map(({ name }) => quote(name))
        return `${writeComment(type, '  ')}  ${type.name}: ${values.join(' | ')}\n`
      }),
    ),
    writeMap(
      'Inputs',
      'Input types of the schema.',
      types.filter(isInputObjectType).map((type) => {
        const fields = Object.values(type.getFields()).map((field) =>
          writeInput(field, isRequiredInputField(field), api, '    '),
        )
        return `${writeComment(type, '  ')}  ${type.name}: {\n${fields.join('')}  }\n`
      }),
    ),
    writeMap(
      'Objects',
      'Object types, interfaces and unions of the schema.',
      types.filter(isCompositeType).map((type) => writeObject(type, api)),
    ),
    writeMap(
      'Selections',
      'Selections of fields. `$scalars` selects all fields without a selection of their own.',
      types.filter(isCompositeType).map((type) => writeSelection(type, api)),
    ),
    writeMap(
      'Arguments',
      'Arguments of fields.',
      types.flatMap((type) => writeArguments(type, api)),
    ),
  ].join('\n')
}

function writeMap(name: string, description: string, members: readonly string[]): string {
  return `/** ${description} */\nexport interface ${name} {\n${members.join('')}}\n`
}

function writeInput(
  input: GraphQLInputField | GraphQLArgument,
  required: boolean,
  api: ApiSchema,
  indent: string,
): string {
  const type = writeType(input.type, (named) => writeNamed(named, 'in', api))
  const member = required ? `${input.name}: ${type}` : `${input.name}?: ${type} | undefined`
  return `${writeComment(input, indent)}${indent}readonly ${member}\n`
}

function writeObject(type: GraphQLNamedType, api: ApiSchema): string {
  const head = `${writeComment(type, '  ')}  ${type.name}: `
  if (isAbstractType(type)) {
    const members = api.schema.getPossibleTypes(type).map(({ name }) => `Objects[${quote(name)}]`)
    return `${head}${members.sort().join(' | ') || 'never'}\n`
  }
  if (!isObjectType(type)) return ''
  const fields = Object.values(type.getFields()).map((field) => {
    const written = writeType(field.type, (named) => writeNamed(named, 'out', api))
    return `${writeComment(field, '    ')}    readonly ${field.name}: ${written}\n`
  })
  return `${head}{\n    readonly __typename: ${quote(type.name)}\n${fields.join('')}  }\n`
}

function writeSelection(type: GraphQLNamedType, api: ApiSchema): string {
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
  const members = fields.map((field) => {
    const named = getNamedType(field.type)
    const isRequired = field.args.some(isRequiredArgument)
    const args =
      field.args.length === 0
        ? ''
        : `{ readonly $args${isRequired ? '' : '?'}: Arguments[${quote(`${type.name}.${field.name}`)}] }`
    const below = isCompositeType(named)
      ? `Selections[${quote(named.name)}]${args && ` & ${args}`}`
      : isRequired
        ? args
        : `true${args && ` | ${args}`}`
    return `    readonly ${field.name}?: ${below}\n`
  })
  const special = isAbstractType(type)
    ? `    readonly $on?: {\n${api.schema
        .getPossibleTypes(type)
        .map(({ name }) => `      readonly ${name}?: Selections[${quote(name)}]\n`)
        .join('')}    }\n`
    : '    readonly $scalars?: true\n'
  return `  ${type.name}: {\n    readonly __typename?: true\n${special}${members.join('')}  }\n`
}

function writeArguments(type: GraphQLNamedType, api: ApiSchema): readonly string[] {
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => {
    if (field.args.length === 0) return []
    const args = field.args.map((arg) => writeInput(arg, isRequiredArgument(arg), api, '    '))
    return [`  ${quote(`${type.name}.${field.name}`)}: {\n${args.join('')}  }\n`]
  })
}
